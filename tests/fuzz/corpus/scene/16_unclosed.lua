world { dim = 2, h = 1e-3, t_end = [==[ 1 ]=] , --[[
