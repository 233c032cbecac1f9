/*
 * Box2D 2: single precision, sequential impulses with warm start, positions corrected after velocities.
 *
 * Its tolerances are meant for bodies of about a metre: lengths are divided by the scene's size.  The skin
 * that it puts around polygons and edges is taken off, so that bodies meet where they are.  Cubes are
 * squares: their x, z become its x, y.
 */
#include "driver.h"

#include <box2d/box2d.h>
#include <cmath>
#include <map>
#include <stdexcept>

namespace
{

class Box2d : public Program, public b2ContactListener
{
    const Scene scene;
    const int velocity_iterations, position_iterations;
    const double unit; // m of one of its lengths
    const int up;      // axis of the scene that is its y
    b2World world;
    std::vector<b2Body *> bodies;
    bool watched = false;
    std::map<b2Contact *, b2WorldManifold> found;
    std::vector<Touch> seen;

    b2Vec2 point(const double x[3]) const
    {
        return b2Vec2(float(x[0] / unit), float(x[up] / unit));
    }
    void copy(const b2Vec2 &from, double by, double out[3]) const
    {
        out[0] = by * double(from.x), out[up] = by * double(from.y);
    }

    void add(b2Body *body, b2Shape &shape)
    {
        b2FixtureDef def;
        shape.m_radius = shape.GetType() == b2Shape::e_circle ? shape.m_radius : 0;
        def.shape = &shape;
        def.friction = float(scene.friction);
        def.density = 1;
        body->CreateFixture(&def);
    }

    void add_body(const Body &b)
    {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position = point(b.x);
        def.allowSleep = false;
        def.userData.pointer = bodies.size();
        b2Body *body = world.CreateBody(&def);
        b2CircleShape circle;
        b2PolygonShape box;
        circle.m_radius = float(b.radius / unit);
        if (b.radius > 0)
            add(body, circle);
        else
            box.SetAsBox(float(b.half[0] / unit), float(b.half[up] / unit)), add(body, box);
        b2MassData mass;
        mass.mass = float(b.mass);
        mass.center.SetZero();
        mass.I = float(b.inertia[1] / (unit * unit));
        body->SetMassData(&mass);
        bodies.push_back(body);
    }

    void add_plane(const Plane &p)
    {
        b2BodyDef def;
        def.userData.pointer = bodies.size();
        b2Body *body = world.CreateBody(&def);
        b2EdgeShape edge;
        const float nx = float(p.normal[0]), ny = float(p.normal[up]), d = float(p.offset / unit);
        edge.SetTwoSided(b2Vec2(nx * d - 500 * ny, ny * d + 500 * nx),
                         b2Vec2(nx * d + 500 * ny, ny * d - 500 * nx));
        add(body, edge);
        bodies.push_back(body);
    }

  public:
    Box2d(const Scene &s, int velocity, int position)
        : scene(s), velocity_iterations(velocity), position_iterations(position), unit(s.size), up(s.dim - 1),
          world(b2Vec2(float(s.gravity[0] / s.size), float(s.gravity[up] / s.size)))
    {
        for (const Body &b : s.bodies)
            add_body(b);
        for (const Plane &p : s.planes)
            add_plane(p);
        world.SetContactListener(this);
        world.SetContinuousPhysics(false);
    }

    void PreSolve(b2Contact *contact, const b2Manifold *) override
    {
        if (watched)
            contact->GetWorldManifold(&found[contact]);
    }

    void PostSolve(b2Contact *contact, const b2ContactImpulse *impulse) override
    {
        auto where = found.find(contact);
        if (!watched || where == found.end())
            return;
        const b2WorldManifold &m = where->second;
        std::size_t a = contact->GetFixtureA()->GetBody()->GetUserData().pointer,
                    b = contact->GetFixtureB()->GetBody()->GetUserData().pointer;
        bool swap = b < scene.bodies.size(); // its normal is toward b
        const b2Vec2 n = m.normal, s = b2Cross(n, 1.0f);
        for (int k = 0; k < impulse->count; k++) {
            Touch t{};
            const double sign = swap ? 1 : -1;
            t.body1 = swap ? b : a;
            t.body2 = swap ? a : b;
            copy(m.points[k], unit, t.point);
            copy(n, sign, t.normal);
            copy(impulse->normalImpulses[k] * n + impulse->tangentImpulses[k] * s, sign * unit, t.impulse);
            t.gap = unit * double(m.separations[k]);
            seen.push_back(t);
        }
    }

    void step() override
    {
        world.Step(float(scene.h), velocity_iterations, position_iterations);
    }
    std::size_t contacts() override
    {
        std::size_t count = 0;
        for (b2Contact *c = world.GetContactList(); c != nullptr; c = c->GetNext())
            count += c->IsTouching() ? std::size_t(c->GetManifold()->pointCount) : 0;
        return count;
    }
    double iterations() override
    {
        return velocity_iterations;
    }
    bool has_impulses() override
    {
        return true;
    }
    void watch() override
    {
        watched = true;
    }
    std::vector<Touch> touches() override
    {
        return seen;
    }
    std::string note() override
    {
        return up == 2 ? "squares in 2D" : "";
    }

    State state(std::size_t i) override
    {
        State s{};
        const b2Body &b = *bodies[i];
        const double half = 0.5 * double(b.GetAngle()), w = double(b.GetAngularVelocity());
        copy(b.GetPosition(), unit, s.x);
        copy(b.GetLinearVelocity(), unit, s.v);
        // from x to z is about -y
        s.q[0] = std::cos(half);
        s.q[up == 1 ? 3 : 2] = up == 1 ? std::sin(half) : -std::sin(half);
        s.w[up == 1 ? 2 : 1] = up == 1 ? w : -w;
        return s;
    }
};

// iterations for velocities and positions: those of the manual, and many
std::vector<std::string> settings(int dim, bool round)
{
    if (dim == 3 && round)
        return {};
    return {"50-20", "8-3"};
}

std::unique_ptr<Program> make(const Scene &scene, const std::string &setting)
{
    int velocity = 0, position = 0;
    if (std::sscanf(setting.c_str(), "%d-%d", &velocity, &position) != 2 || velocity < 1 || position < 1)
        throw std::runtime_error("setting '" + setting + "' is not VELOCITY-POSITION iterations");
    if (scene.dim == 3 && scene.round())
        throw std::runtime_error("spheres cannot be discs");
    return std::unique_ptr<Program>(new Box2d(scene, velocity, position));
}

} // namespace

int main(int argc, char **argv)
{
    return drive(argc, argv, {"box2d", PEER_VERSION, settings, make});
}
