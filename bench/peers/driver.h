/*
 * What the drivers of other programs share: reading a scene, running it, timing its steps, writing the
 * result. The texts are described in README.md.
 */
#ifndef BENCH_PEERS_DRIVER_H
#define BENCH_PEERS_DRIVER_H

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct Body {
    double x[3], q[4];
    double radius; // 0: a box
    double half[3];
    double mass, inertia[3];
};

// solid where normal.x <= offset
struct Plane {
    double normal[3], offset;
};

struct Scene {
    std::string name;
    int dim;
    double h, gravity[3], friction, size;
    std::size_t settle, steps;
    std::vector<Plane> planes;
    std::vector<Body> bodies;
    bool round() const
    {
        return !bodies.empty() && bodies[0].radius > 0;
    }
};

struct State {
    double x[3], q[4], v[3], w[3];
};

// normal and impulse toward body1; body2 >= bodies: a plane
struct Touch {
    std::size_t body1, body2;
    double point[3], normal[3], gap, target, impulse[3];
};

// one program with one scene
class Program
{
  public:
    virtual ~Program() = default;
    virtual void step() = 0;                // h of motion
    virtual State state(std::size_t i) = 0; // after the last step
    virtual std::size_t contacts()
    {
        return 0;
    } // of the last step; 0: not known
    virtual double iterations()
    {
        return 0;
    } // likewise
    virtual bool has_impulses()
    {
        return false;
    } // of contacts
    virtual void watch()
    {
    } // the next step's contacts will be asked for
    virtual std::vector<Touch> touches()
    {
        return {};
    }
    virtual std::string note()
    {
        return "";
    }
};

struct Driver {
    const char *name, *version;
    // settings for scenes of a dimension with round bodies or boxes, the standard one first
    std::vector<std::string> (*settings)(int dim, bool round);
    std::unique_ptr<Program> (*make)(const Scene &scene, const std::string &setting);
};

int drive(int argc, char **argv, const Driver &driver);

#endif
