import Sigma from "sigma3";
import { drawing } from "./sigma.js";

export const draw = drawing(Sigma);
