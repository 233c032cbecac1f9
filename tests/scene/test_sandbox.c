/*
 * A hostile scene ends with a message: nothing outside is reached, no limit is passed, nothing crashes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"

/* each is an expression that must be true */
static const char *const truths[] = {
    "io == nil and os == nil and debug == nil and require == nil and package == nil and coroutine == nil",
    "dofile == nil and loadfile == nil and string.dump == nil and warn == nil",
    "getmetatable('') == false",
    "not pcall(setmetatable, {}, { __gc = function() end })",
    "load('\\27Lua') == nil",
    "load(string.char(27) .. 'LuaS', 'x', 'b') == nil",
    "load('return 1 + 1')() == 2",
    "load('return x', 'c', 't', { x = 5 })() == 5",
    "select('#', pcall(error)) == 2",
    "not pcall(collectgarbage)",
    "collectgarbage('count') > 0",
    "getmetatable(disc { radius = 1 }) == false",
    "not pcall(string.rep, 'x', 1e9)",
    "string.rep('', 1e15) == ''",
    "string.rep('ab', 3, ',') == 'ab,ab,ab'",
    "string.rep('x', -1) == ''",
    "not pcall(table.move, {}, 1, 1e15, 2, {})",
    "not pcall(table.concat, setmetatable({}, { __index = rawlen }), '', 1, 1e12)",
    "not pcall(string.find, string.rep('a', 1e5), '.-.-.-.-b')",
    "not pcall(string.match, string.rep('a', 40), string.rep('a?', 40) .. string.rep('a', 40))",
    "not pcall(string.gsub, string.rep('(', 1e6), '%b()', '')",
    "not pcall(function() local s = 'x' for i = 1, 40 do s = s .. s end end)",
    "not pcall(function() local function f() return f() + 1 end f() end)",
    "not pcall(function() local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x end)",
    "not pcall(string.format, '%d', '3.5')",
    /* what patterns are for works as ever */
    "('key = value'):match('^(%w+)%s*=%s*(%w+)$') == 'key'",
    "('a,b,c'):gsub(',', ';') == 'a;b;c'",
    "('x[y]'):find('[', 1, true) == 2",
    "('THE (quick) fox'):find('%((%a+)%)') == 5",
    "('hello world'):gsub('%f[%w]%w', string.upper) == 'Hello World'",
    "string.format('%5.2f|%s|%q', 1.5, 'a', 'b') == ' 1.50|a|\"b\"'",
    "table.concat({ 1, 2, 3 }, '-') == '1-2-3'",
    "utf8.char(228) == '\\u{e4}' and utf8.len('\\u{e4}b') == 2",
    "tonumber('0x10') == 16 and tonumber('z', 36) == 35 and tonumber('x') == nil",
    "math.type(1) == 'integer' and math.type(1.0) == 'float' and math.type('1') == nil",
    "7 // 2 == 3 and math.floor(-3.5) == -4 and math.type(math.floor(2.5)) == 'integer'",
    "math.tointeger(3.0) == 3 and math.ult(1, -1) and math.fmod(-7, 3) == -1 and math.pow == nil",
    "math.max(1, 2.5, 2) == 2.5 and math.min(3, 1) == 1 and math.abs(-3) == 3",
    "math.pi > 3.14 and math.huge == 1/0 and math.log(8, 2) == 3 and math.atan(1, 0) == math.pi / 2",
    "not pcall(math.sin) and not pcall(math.sin, 'x') and math.sin('0') == 0",
    /* xpcall gives the handler's answer */
    "select(2, xpcall(error, function(m) return m .. '!' end, 'bad', 0)) == 'bad!'",
    "select(2, xpcall(function(a, b) return a + b end, print, 1, 2)) == 3",
    "select(2, xpcall(error, function() error('again', 0) end)) == 'again'",
};

static void the_sandbox_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
        char text[1000];
        outcome o;
        snprintf(text, sizeof text, TEN_STEPS "check('it', %s)", truths[i]);
        scene_options options = text_options(text, &o);
        options.steps = 1;
        run_options(&options, &o);
        if (o.status != MO_OK || !o.result.reached)
            print_error("%s: %s %s\n", truths[i], o.result.status, o.err.message);
        assert_int_equal(o.status, MO_OK);
        assert_true(o.result.reached);
        outcome_free(&o);
    }
}

/* keys come in order whatever Lua's hash seed is */
static void pairs_is_in_order(void **state)
{
    (void)state;
    outcome o;
    run_text(
        TEN_STEPS
        "local t = { zeta = 1, alpha = 2, [3] = 3, [1] = 4, [2.5] = 5, [true] = 6, mid = 7 }\n"
        "local s = {}\n"
        "for k, v in pairs(t) do s[#s + 1] = tostring(k) .. v end\n"
        "check('order', table.concat(s, ' ') == '14 2.55 33 alpha2 mid7 zeta1 true6', table.concat(s, ' "
        "'))\n"
        "for k in pairs(t) do t[k] = nil end\n"
        "check('empty', next(t) == nil)\n"
        "local n = 0\n"
        "for k, v in pairs(setmetatable({}, { __pairs = function() return next, { 5 } end })) do n = n + v "
        "end\n"
        "check('__pairs', n == 5)\n",
        &o);
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
}

static const bomb bombs[] = {
    {"while true do end", "never end?"},
    {"while true do pcall(function() while true do end end) end", "never end?"},
    {"local function f() pcall(f) while true do end end f()", "never end?"},
    {"while true do xpcall(function() while true do end end, function() while true do end end) end",
     "never end?"},
    {"for i = 1, 1e9 do local ok = pcall(error) end", "never end?"},
    {"setmetatable({}, { __index = function(t, k) return t[k] end })[1] = 1 repeat until false",
     "never end?"},
    {"local t = {} for i = 1, 1e9 do t[i] = i end", "MiB of memory"},
    {"local s = string.rep('x', 1e6) local t = {} for i = 1, 1e9 do t[i] = s .. i end", "MiB of memory"},
    {"local t = {} for i = 1, 3e5 do t[i] = (i * 7919) % 100003 end\n"
     "while true do table.sort(t, function(a, b) return a < b end) table.sort(t) end",
     "never end?"},
    {"local s = string.rep('a', 15000) while true do s:find('a-b') end", "never end?"},
    {"local a, b = string.rep('x', 1e6), string.rep('x', 1e6) while true do local c = (a .. 'y'):upper() end",
     "never end?"},
    {"for i = 1, 1e9 do param('p' .. i, 1) end", "more than 1000 parameters"},
    {"for i = 1, 1e9 do observe('p' .. i, print) end", "more than 1000 columns"},
    {"for i = 1, 1e9 do report('p' .. i, string.rep('x', 1e5)) end", "bytes in all"},
    {"local s = disc { radius = 1 } for i = 1, 1e9 do body { shape = s, density = 1, position = {3 * i, 0} } "
     "end",
     "points in all"},
    {"local close <close> = setmetatable({}, { __close = function() while true do end end }) error('x')",
     "never end?"},
};

static void bombs_end_in_time(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    expect_bombs(TEN_STEPS, bombs, sizeof bombs / sizeof bombs[0], &limits);
}

static void callbacks_are_limited_too(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "on_step(function(t) while true do end end)",
        "at(0, function() while true do end end)",
        "stop_when(function(t) while true do end end)",
        "observe('x', function(t) while true do end end)",
        "at_end(function(t) while true do end end)",
        "body { shape = disc { radius = 1 }, motion = function(t) while true do end end }",
        "body { shape = disc { radius = 1 }, mass = 1, applied_force = function(t) while true do end end }"};
    scene_limits limits = small_limits();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[1000];
        outcome o = {.said = ""};
        snprintf(text, sizeof text, TEN_STEPS "%s", texts[i]);
        scene_options options = text_options(text, &o);
        o.status = scene_run_limited(&options, &limits, &o.result, &o.err);
        assert_int_equal(o.status, MO_BAD_INPUT);
        assert_non_null(strstr(o.err.message, "does a loop never end?"));
        assert_int_equal(o.err.line, 2);
        outcome_free(&o);
    }
}

/* the limits are per call, so that a long run of short calls goes on */
static void many_short_calls_are_fine(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    limits.call_count = 20000;
    outcome o = {.said = ""};
    scene_options options = text_options("world { dim = 2, h = 0.01, t_end = 1 }\n"
                                         "local n = 0\n"
                                         "on_step(function(t) for i = 1, 1000 do n = n + 1 end end)\n"
                                         "at_end(function() check('n', n == 100000) end)",
                                         &o);
    o.status = scene_run_limited(&options, &limits, &o.result, &o.err);
    assert_int_equal(o.status, MO_OK);
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
}

static void an_interrupt_ends_the_chunk(void **state)
{
    (void)state;
    volatile sig_atomic_t flag = 1;
    outcome o;
    scene_options options = text_options("while true do end", &o);
    options.interrupt = &flag;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_STOPPED);
    assert_true(o.result.interrupted);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sandbox_holds),         cmocka_unit_test(pairs_is_in_order),
        cmocka_unit_test(bombs_end_in_time),         cmocka_unit_test(callbacks_are_limited_too),
        cmocka_unit_test(many_short_calls_are_fine), cmocka_unit_test(an_interrupt_ends_the_chunk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
