/*
 * Bullet: sequential impulses with warm start, in single or double precision (two builds of this file).
 *
 * In 2D discs are spheres that move in their plane, with the inertia of discs.  What it asks of a contact
 * (btSequentialImpulseConstraintSolver): a normal velocity of at least -gap / h where it is open, erp depth /
 * h where it overlaps.
 */
#include "driver.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <stdexcept>

namespace
{

btVector3 vector(const double x[3])
{
    return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]));
}

void copy(const btVector3 &from, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = double(from[k]);
}

class Bullet : public Program
{
    const Scene scene;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMotionState>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    // combined friction is the product
    void add(double mass, btCollisionShape *shape, const btVector3 &inertia, const btTransform &at)
    {
        shapes.emplace_back(shape);
        motions.emplace_back(new btDefaultMotionState(at));
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), motions.back().get(), shape, inertia);
        info.m_friction = btScalar(std::sqrt(scene.friction));
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setUserIndex(int(bodies.size()) - 1);
        if (mass > 0)
            bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        bodies.back()->setGravity(mass > 0 ? vector(scene.gravity) : btVector3(0, 0, 0));
    }

    void add_body(const Body &b)
    {
        btCollisionShape *shape = b.radius > 0
                                      ? static_cast<btCollisionShape *>(new btSphereShape(btScalar(b.radius)))
                                      : new btBoxShape(vector(b.half));
        btTransform at(btQuaternion(btScalar(b.q[1]), btScalar(b.q[2]), btScalar(b.q[3]), btScalar(b.q[0])),
                       vector(b.x));
        add(b.mass, shape, vector(b.inertia), at);
        if (scene.dim == 2) {
            bodies.back()->setLinearFactor(btVector3(1, 1, 0));
            bodies.back()->setAngularFactor(btVector3(0, 0, 1));
        }
    }

    // a plane touches a box at one corner at a time: boxes rest on a large box
    void add_plane(const Plane &p)
    {
        btTransform at = btTransform::getIdentity();
        if (scene.round()) {
            add(0, new btStaticPlaneShape(vector(p.normal), btScalar(p.offset)), btVector3(0, 0, 0), at);
            return;
        }
        at.setOrigin(vector(p.normal) * btScalar(p.offset - 50));
        add(0, new btBoxShape(btVector3(50, 50, 50)), btVector3(0, 0, 0), at);
    }

    bool both_directions()
    {
        return (world.getSolverInfo().m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0;
    }

    double target(double gap)
    {
        return gap > 0 ? -gap / scene.h : -gap * double(world.getSolverInfo().m_erp2) / scene.h;
    }

    Touch touch(const btPersistentManifold &manifold, const btManifoldPoint &p)
    {
        Touch t{};
        std::size_t a = std::size_t(manifold.getBody0()->getUserIndex()),
                    b = std::size_t(manifold.getBody1()->getUserIndex());
        bool swap = a >= scene.bodies.size();
        btScalar sign = swap ? -1 : 1;
        btVector3 impulse =
            p.m_appliedImpulse * p.m_normalWorldOnB + p.m_appliedImpulseLateral1 * p.m_lateralFrictionDir1;
        if (both_directions())
            impulse += p.m_appliedImpulseLateral2 * p.m_lateralFrictionDir2;
        t.body1 = swap ? b : a;
        t.body2 = swap ? a : b;
        copy(btScalar(0.5) * (p.getPositionWorldOnA() + p.getPositionWorldOnB()), t.point);
        copy(sign * p.m_normalWorldOnB, t.normal);
        copy(sign * impulse, t.impulse);
        t.gap = double(p.getDistance());
        t.target = target(t.gap);
        return t;
    }

  public:
    Bullet(const Scene &s, int iterations, bool two_directions) : scene(s)
    {
        // how near a pair must be is meant for bodies of a metre: here by their size
        gContactBreakingThreshold = btScalar(0.02 * s.size);
        gDbvtMargin = btScalar(0.05 * s.size);
        dispatcher.setDispatcherFlags(dispatcher.getDispatcherFlags() &
                                      ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
        world.setGravity(vector(s.gravity));
        world.getSolverInfo().m_numIterations = iterations;
        if (two_directions)
            world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
        for (const Body &b : s.bodies)
            add_body(b);
        for (const Plane &p : s.planes)
            add_plane(p);
    }
    ~Bullet() override
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
    void step() override
    {
        world.stepSimulation(btScalar(scene.h), 0);
    }
    double iterations() override
    {
        return world.getSolverInfo().m_numIterations;
    }
    bool has_impulses() override
    {
        return true;
    }

    State state(std::size_t i) override
    {
        State s{};
        const btRigidBody &b = *bodies[i];
        const btQuaternion q = b.getWorldTransform().getRotation();
        copy(b.getWorldTransform().getOrigin(), s.x);
        copy(b.getLinearVelocity(), s.v);
        copy(b.getAngularVelocity(), s.w);
        s.q[0] = double(q.w()), s.q[1] = double(q.x()), s.q[2] = double(q.y()), s.q[3] = double(q.z());
        return s;
    }

    std::size_t contacts() override
    {
        std::size_t count = 0;
        for (int k = 0; k < dispatcher.getNumManifolds(); k++)
            count += std::size_t(dispatcher.getManifoldByIndexInternal(k)->getNumContacts());
        return count;
    }

    std::vector<Touch> touches() override
    {
        std::vector<Touch> all;
        for (int k = 0; k < dispatcher.getNumManifolds(); k++) {
            const btPersistentManifold &m = *dispatcher.getManifoldByIndexInternal(k);
            for (int i = 0; i < m.getNumContacts(); i++)
                all.push_back(touch(m, m.getContactPoint(i)));
        }
        return all;
    }
};

const char *const precision = sizeof(btScalar) == 8 ? "f64" : "f32";

std::vector<std::string> settings(int, bool)
{
    if (sizeof(btScalar) == 8)
        return {"f64-50"};
    return {"f32-10"};
}

std::unique_ptr<Program> make(const Scene &scene, const std::string &setting)
{
    int iterations = setting.size() > 4 ? std::atoi(setting.c_str() + 4) : 0;
    if (setting.compare(0, 3, precision) != 0 || iterations < 1)
        throw std::runtime_error("setting '" + setting + "' is not of this build");
    return std::unique_ptr<Program>(new Bullet(scene, iterations, sizeof(btScalar) == 8));
}

} // namespace

int main(int argc, char **argv)
{
    return drive(argc, argv, {"bullet", PEER_VERSION, settings, make});
}
