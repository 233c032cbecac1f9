world { dim = 2, h = 1e-300, t_end = 1e300 }
