"""One file for each kind of source; the registry knows them by name and loads them when asked."""
