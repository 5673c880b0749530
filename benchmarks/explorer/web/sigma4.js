import Sigma from "sigma4";
import { drawing } from "./sigma.js";

export const draw = drawing(Sigma);
