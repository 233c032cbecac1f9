local s = interval { center = 0, radius = 1 }
for i = 1, 14 do s = intersection { s, translate(s, {0}) } end
trial { x = 0, h = 1, t_end = 1, set = s }
