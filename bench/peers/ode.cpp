/*
 * ODE: QuickStep, double precision, friction pyramids that go by the normal force (dContactApprox1).
 *
 * Discs in 2D are spheres with the inertia of discs; what starts in the plane stays there.  What it asks of a
 * contact: erp depth / h.
 */
#include "driver.h"

#include <cmath>
#include <ode/ode.h>
#include <stdexcept>

namespace
{

enum { MOST_POINTS = 8 };

class Ode : public Program
{
    struct Pair {
        dContactGeom geometry;
        dJointFeedback feedback;
        bool first_moves; // else the joint's force is that on the second body
        std::size_t a, b;
    };
    const Scene scene;
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    std::vector<dBodyID> bodies;
    std::vector<dGeomID> geometries;
    std::vector<std::unique_ptr<Pair>> pairs; // while watched
    std::size_t count = 0;
    bool watched = false;

    std::size_t index(dGeomID g)
    {
        return reinterpret_cast<std::size_t>(dGeomGetData(g));
    }

    void add_body(const Body &b)
    {
        dMass mass;
        const dQuaternion q = {b.q[0], b.q[1], b.q[2], b.q[3]};
        dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
        dBodyID body = dBodyCreate(world);
        dBodySetPosition(body, b.x[0], b.x[1], b.x[2]);
        dBodySetQuaternion(body, q);
        dBodySetMass(body, &mass);
        dGeomID g = b.radius > 0 ? dCreateSphere(space, b.radius)
                                 : dCreateBox(space, 2 * b.half[0], 2 * b.half[1], 2 * b.half[2]);
        dGeomSetBody(g, body);
        bodies.push_back(body);
        add(g);
    }

    void add(dGeomID g)
    {
        dGeomSetData(g, reinterpret_cast<void *>(geometries.size()));
        geometries.push_back(g);
    }

    void join(dContact &contact, dGeomID a, dGeomID b)
    {
        dJointID joint = dJointCreateContact(world, group, &contact);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
        count++;
        if (!watched)
            return;
        pairs.emplace_back(new Pair{contact.geom, {}, dGeomGetBody(a) != nullptr, index(a), index(b)});
        dJointSetFeedback(joint, &pairs.back()->feedback);
    }

    void meet(dGeomID a, dGeomID b)
    {
        dContact contact[MOST_POINTS];
        if (dGeomGetBody(a) == nullptr && dGeomGetBody(b) == nullptr)
            return;
        int found = dCollide(a, b, MOST_POINTS, &contact[0].geom, sizeof contact[0]);
        for (int k = 0; k < found; k++) {
            contact[k].surface = dSurfaceParameters{};
            contact[k].surface.mode = dContactApprox1;
            contact[k].surface.mu = scene.friction;
            join(contact[k], a, b);
        }
    }

    static void near(void *self, dGeomID a, dGeomID b)
    {
        static_cast<Ode *>(self)->meet(a, b);
    }

  public:
    Ode(const Scene &s, int iterations) : scene(s)
    {
        dInitODE2(0);
        world = dWorldCreate();
        space = dHashSpaceCreate(nullptr);
        // cells from about a body's size upward
        int level = int(std::floor(std::log2(s.size)));
        dHashSpaceSetLevels(space, level, level + 4);
        group = dJointGroupCreate(0);
        dWorldSetGravity(world, s.gravity[0], s.gravity[1], s.gravity[2]);
        dWorldSetQuickStepNumIterations(world, iterations);
        for (const Body &b : s.bodies)
            add_body(b);
        for (const Plane &p : s.planes)
            add(dCreatePlane(space, p.normal[0], p.normal[1], p.normal[2], p.offset));
    }
    ~Ode() override
    {
        dJointGroupDestroy(group);
        dSpaceDestroy(space);
        dWorldDestroy(world);
        dCloseODE();
    }

    void step() override
    {
        count = 0;
        dSpaceCollide(space, this, near);
        dWorldQuickStep(world, scene.h);
        dJointGroupEmpty(group);
    }
    std::size_t contacts() override
    {
        return count;
    }
    double iterations() override
    {
        return dWorldGetQuickStepNumIterations(world);
    }
    bool has_impulses() override
    {
        return true;
    }
    void watch() override
    {
        watched = true;
    }

    State state(std::size_t i) override
    {
        State s{};
        for (int k = 0; k < 3; k++) {
            s.x[k] = dBodyGetPosition(bodies[i])[k];
            s.v[k] = dBodyGetLinearVel(bodies[i])[k];
            s.w[k] = dBodyGetAngularVel(bodies[i])[k];
        }
        for (int k = 0; k < 4; k++)
            s.q[k] = dBodyGetQuaternion(bodies[i])[k];
        return s;
    }

    std::vector<Touch> touches() override
    {
        std::vector<Touch> all;
        for (const auto &pair : pairs) {
            Touch t{};
            double sign = pair->first_moves ? 1 : -1;
            t.body1 = pair->first_moves ? pair->a : pair->b;
            t.body2 = pair->first_moves ? pair->b : pair->a;
            for (int k = 0; k < 3; k++) {
                t.point[k] = pair->geometry.pos[k];
                t.normal[k] = sign * pair->geometry.normal[k];
                t.impulse[k] = scene.h * pair->feedback.f1[k];
            }
            t.gap = -pair->geometry.depth;
            t.target = dWorldGetERP(world) * pair->geometry.depth / scene.h;
            all.push_back(t);
        }
        return all;
    }
};

std::vector<std::string> settings(int, bool round)
{
    if (round)
        return {"20"};
    return {"100", "20"};
}

std::unique_ptr<Program> make(const Scene &scene, const std::string &setting)
{
    int iterations = std::atoi(setting.c_str());
    if (iterations < 1)
        throw std::runtime_error("setting '" + setting + "' is not a number of iterations");
    return std::unique_ptr<Program>(new Ode(scene, iterations));
}

} // namespace

int main(int argc, char **argv)
{
    return drive(argc, argv, {"ode", PEER_VERSION, settings, make});
}
