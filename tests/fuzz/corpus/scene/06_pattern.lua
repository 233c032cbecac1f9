-- a pattern whose backtracking takes 2^80 tries inside a single call of a library function
string.find(string.rep("a", 80), string.rep("a?", 80) .. string.rep("a", 80) .. "b")
