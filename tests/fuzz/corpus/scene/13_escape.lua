for _, name in ipairs { "io", "os", "require", "load", "loadstring", "loadfile", "dofile", "debug", "package", "collectgarbage" } do
  if _G[name] then pcall(_G[name], "\27Lua") end
end
string.dump(function() end)
getmetatable("").__index = function(s, k) return _G[k] end
_G.world, _G.body, math.random, _ENV = nil, nil, nil, setmetatable({}, { __index = error })
