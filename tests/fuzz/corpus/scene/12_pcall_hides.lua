-- the limits must hold although the scene catches every error
while true do
  pcall(function() local t = {} while true do t[#t + 1] = string.rep("y", 1e5) end end)
end
