// The part that all drivers share: see driver.h.
#include "driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace
{

// the thread's: that of the process goes by ticks where its time is limited
double processor_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

void expect(std::ifstream &in, const char *key)
{
    std::string found;
    if (!(in >> found) || found != key)
        throw std::runtime_error("scene: found '" + found + "', expected '" + key + "'");
}

template <std::size_t n> void numbers(std::ifstream &in, double (&x)[n])
{
    for (double &value : x)
        in >> value;
}

Scene read_scene(const char *path)
{
    std::ifstream in(path);
    Scene s;
    std::size_t count = 0;
    int version = 0;
    expect(in, "moreau-scene"), in >> version;
    if (version != 1)
        throw std::runtime_error("scene: not of version 1");
    expect(in, "name"), in >> s.name;
    expect(in, "dim"), in >> s.dim;
    expect(in, "h"), in >> s.h;
    expect(in, "gravity"), numbers(in, s.gravity);
    expect(in, "friction"), in >> s.friction;
    expect(in, "size"), in >> s.size;
    expect(in, "settle"), in >> s.settle;
    expect(in, "steps"), in >> s.steps;
    expect(in, "planes"), in >> count;
    s.planes.resize(count);
    for (Plane &p : s.planes)
        numbers(in, p.normal), in >> p.offset;
    expect(in, "bodies"), in >> count;
    s.bodies.resize(count);
    for (Body &b : s.bodies) {
        numbers(in, b.x), numbers(in, b.q), in >> b.radius;
        numbers(in, b.half), in >> b.mass, numbers(in, b.inertia);
    }
    expect(in, "end");
    return s;
}

void write(std::FILE *out, const double *x, std::size_t n)
{
    for (std::size_t k = 0; k < n; k++)
        std::fprintf(out, " %.17g", x[k]);
}

std::vector<State> states(Program &program, const Scene &scene)
{
    std::vector<State> all(scene.bodies.size());
    for (std::size_t i = 0; i < all.size(); i++)
        all[i] = program.state(i);
    return all;
}

void write_states(std::FILE *out, const char *key, const std::vector<State> &all)
{
    std::fprintf(out, "%s\n", key);
    for (const State &s : all) {
        write(out, s.x, 3), write(out, s.q, 4), write(out, s.v, 3), write(out, s.w, 3);
        std::fputc('\n', out);
    }
}

void write_touches(std::FILE *out, const std::vector<Touch> &all)
{
    std::fprintf(out, "touches %zu\n", all.size());
    for (const Touch &t : all) {
        std::fprintf(out, "%zu %zu", t.body1, t.body2);
        write(out, t.point, 3), write(out, t.normal, 3), write(out, &t.gap, 1), write(out, &t.target, 1);
        write(out, t.impulse, 3);
        std::fputc('\n', out);
    }
}

void run(const Driver &driver, const char *setting, const Scene &scene, std::FILE *out)
{
    std::unique_ptr<Program> program = driver.make(scene, setting);
    double began = processor_seconds(), contacts = 0, iterations = 0, total = 0;
    for (std::size_t i = 0; i < scene.settle; i++)
        program->step();
    std::fprintf(out, "moreau-result 1\nprogram %s\nversion %s\nsetting %s\nsettle_seconds %.17g\n",
                 driver.name, driver.version, setting, processor_seconds() - began);
    write_states(out, "start", states(*program, scene));
    std::fprintf(out, "seconds %zu\n", scene.steps);
    for (std::size_t i = 0; i < scene.steps; i++) {
        began = processor_seconds();
        program->step();
        double took = processor_seconds() - began;
        std::fprintf(out, "%.9g\n", took);
        total += took;
        contacts += double(program->contacts()) / double(scene.steps);
        iterations += program->iterations() / double(scene.steps);
    }
    std::fprintf(out, "run_seconds %.17g\ncontacts %.17g\niterations %.17g\nnote %s\n", total, contacts,
                 iterations, program->note().c_str());
    write_states(out, "state", states(*program, scene));
    if (program->has_impulses()) {
        write_states(out, "before", states(*program, scene));
        program->watch();
        program->step();
        write_touches(out, program->touches());
    }
    std::fputs("end\n", out);
}

} // namespace

int drive(int argc, char **argv, const Driver &driver)
{
    if (argc == 4 && std::strcmp(argv[1], "--list") == 0) {
        for (const std::string &name :
             driver.settings(std::atoi(argv[2]), std::strcmp(argv[3], "round") == 0))
            std::puts(name.c_str());
        return 0;
    }
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s SETTING SCENE RESULT | --list DIM round|box\n", argv[0]);
        return 2;
    }
    try {
        Scene scene = read_scene(argv[2]);
        std::FILE *out = std::fopen(argv[3], "w");
        if (out == nullptr)
            throw std::runtime_error(std::string(argv[3]) + ": cannot be written");
        run(driver, argv[1], scene, out);
        if (std::fclose(out) != 0)
            throw std::runtime_error(std::string(argv[3]) + ": cannot be written");
    } catch (const std::exception &trouble) {
        std::fprintf(stderr, "%s: %s\n", driver.name, trouble.what());
        return 1;
    }
    return 0;
}
