/* Results of drivers are read as they are written, and anything else is refused. */
#include "peers_support.h"

static const char good[] =
    "moreau-result 1\nprogram other\nversion 1.2 beta\nsetting fast\nnote two words, a comma\n"
    "settle_seconds 0.5\nrun_seconds 0.03\nseconds 3\n0.01 0.02\n0.03\ncontacts 1\niterations 7\n"
    "start\n0 1 0 1 0 0 0 0 0 0 0 0 0\nstate\n0 2 0 1 0 0 0 0 3 0 0 0 4\n"
    "before\n0 2 0 1 0 0 0 0 3 0 0 0 4\ntouches 1\n0 1 0 1 0 0 1 0 -0.25 nan 0 6 0\nend\n";

static mo_status read_text(const char *text, size_t length, peer_result *out)
{
    peer_scene s = make_scene("A", 1);
    mo_error err;
    FILE *file = tmpfile();
    assert_non_null(file);
    fwrite(text, 1, length, file);
    rewind(file);
    const mo_status status = peer_result_read(file, &s, out, &err);
    fclose(file);
    peer_scene_free(&s);
    return status;
}

static void test_good(void **state)
{
    (void)state;
    peer_result r;
    assert_int_equal(read_text(good, strlen(good), &r), MO_OK);
    assert_string_equal(r.program, "other");
    assert_string_equal(r.version, "1.2 beta");
    assert_string_equal(r.note, "two words, a comma");
    assert_int_equal(r.step_count, 3);
    assert_close(r.seconds[2], 0.03, 0);
    assert_close(r.iterations, 7, 0);
    assert_close(r.end[0].x[1] - r.start[0].x[1], 1, 0);
    assert_close(r.end[0].w[2], 4, 0);
    assert_int_equal(r.touch_count, 1);
    assert_close(r.touch[0].gap, -0.25, 0);
    assert_true(isnan(r.touch[0].target));
    assert_close(r.touch[0].impulse[1], 6, 0);
    peer_result_free(&r);
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    peer_result r;
    for (size_t length = 0; length + 2 < strlen(good); length++)
        assert_int_equal(read_text(good, length, &r), MO_BAD_FILE);
}

// each text with one thing wrong: what is there, what is put in its place
static void test_wrong(void **state)
{
    (void)state;
    const char *const changes[][2] = {
        {"result 1", "result 2"},
        {"touches 1", "touches -1"},
        {"touches 1", "touches 1e9"},
        {"\n0 1 0 1 0 0 1", "\n0 9 0 1 0 0 1"},
        {"\n0 1 0 1 0 0 1", "\n0 0 0 1 0 0 1"},
        {"seconds 3", "seconds x"},
        {"iterations", "iteratoins"},
        {"before", "start"},
        {"state", "stat"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        char text[sizeof good + 64];
        peer_result r;
        const char *at = strstr(good, changes[k][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, changes[k][1],
                 at + strlen(changes[k][0]));
        assert_int_equal(read_text(text, strlen(text), &r), MO_BAD_FILE);
    }
}

static void test_without_impulses(void **state)
{
    (void)state;
    peer_result r;
    char text[sizeof good];
    const char *at = strstr(good, "before");
    snprintf(text, sizeof text, "%.*send\n", (int)(at - good), good);
    assert_int_equal(read_text(text, strlen(text), &r), MO_OK);
    assert_null(r.before);
    peer_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_cut_anywhere),
                                       cmocka_unit_test(test_wrong), cmocka_unit_test(test_without_impulses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
