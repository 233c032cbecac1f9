setmetatable({}, { __gc = function() error("late") end })
