/*
 * MuJoCo: soft constraints of its default stiffness, solved by conjugate gradients or Newton's method.
 *
 * Its contacts have no target velocity: the reference acceleration and the regularisation make a problem of
 * its own, so that only the residual of the law itself is asked.  It makes room for the square of the number
 * of constraints within 2 GB: some 700 bodies are the most.
 */
#include "driver.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <mujoco/mujoco.h>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace
{

class Mujoco : public Program
{
    const Scene scene;
    mjModel *model = nullptr;
    mjData *data = nullptr;

    // four for a contact, of which a body has three; cubes more
    std::size_t constraints() const
    {
        return (scene.round() ? 14 : 60) * scene.bodies.size() + 1000;
    }

    std::string text(const std::string &solver) const
    {
        std::ostringstream out;
        const std::size_t n = scene.bodies.size();
        out.precision(17);
        out << "<mujoco><option timestep='" << scene.h << "' gravity='" << scene.gravity[0] << ' '
            << scene.gravity[1] << ' ' << scene.gravity[2] << "' solver='" << solver
            << "' jacobian='sparse'/>"
            << "<size nconmax='" << (scene.round() ? 8 : 20) * n + 100 << "' njmax='" << constraints()
            << "' nstack='" << 20000000 + 40000 * n << "'/><default><geom friction='" << scene.friction
            << " 0 0' condim='3'/></default><worldbody>";
        for (const Plane &p : scene.planes)
            out << "<geom type='plane' size='0 0 1' pos='" << p.normal[0] * p.offset << ' '
                << p.normal[1] * p.offset << ' ' << p.normal[2] * p.offset << "' zaxis='" << p.normal[0]
                << ' ' << p.normal[1] << ' ' << p.normal[2] << "'/>";
        for (const Body &b : scene.bodies)
            add(out, b);
        out << "</worldbody></mujoco>";
        return out.str();
    }

    void add(std::ostringstream &out, const Body &b) const
    {
        out << "<body pos='" << b.x[0] << ' ' << b.x[1] << ' ' << b.x[2] << "'>";
        if (scene.dim == 2)
            out << "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                << "<joint type='hinge' axis='0 0 1'/>";
        else
            out << "<freejoint/>";
        out << "<inertial pos='0 0 0' mass='" << b.mass << "' diaginertia='" << b.inertia[0] << ' '
            << b.inertia[1] << ' ' << b.inertia[2] << "'/><geom type='";
        if (b.radius > 0)
            out << "sphere' size='" << b.radius;
        else
            out << "box' size='" << b.half[0] << ' ' << b.half[1] << ' ' << b.half[2];
        out << "'/></body>";
    }

    // it reads files only
    void load(const std::string &xml)
    {
        if (double(constraints()) * double(constraints()) * 8 > 1.2e9)
            throw std::runtime_error("it has no room for so many bodies; 700 are about the most");
        char path[] = "/tmp/moreau-peer-XXXXXX", message[1000] = "";
        int file = mkstemp(path);
        std::FILE *out = file >= 0 ? fdopen(file, "w") : nullptr;
        if (out == nullptr)
            throw std::runtime_error("its model cannot be written");
        std::fputs(xml.c_str(), out);
        std::fclose(out);
        model = mj_loadXML(path, nullptr, message, sizeof message);
        unlink(path);
        if (model == nullptr)
            throw std::runtime_error(message);
        data = mj_makeData(model);
    }

    // body i is its body i + 1
    std::size_t index(int geom) const
    {
        int body = model->geom_bodyid[geom];
        return body > 0 ? std::size_t(body - 1) : scene.bodies.size() + std::size_t(geom);
    }

  public:
    Mujoco(const Scene &s, const std::string &solver) : scene(s)
    {
        load(text(solver));
    }
    ~Mujoco() override
    {
        mj_deleteData(data);
        mj_deleteModel(model);
    }
    void step() override
    {
        mj_step(model, data);
    }
    std::size_t contacts() override
    {
        return std::size_t(data->ncon);
    }
    double iterations() override
    {
        return data->solver_iter;
    }
    bool has_impulses() override
    {
        return true;
    }

    State state(std::size_t i) override
    {
        State s{};
        s.q[0] = 1;
        if (scene.dim == 2) {
            const double *q = data->qpos + 3 * i, *u = data->qvel + 3 * i, half = 0.5 * q[2];
            s.x[0] = scene.bodies[i].x[0] + q[0], s.x[1] = scene.bodies[i].x[1] + q[1];
            s.v[0] = u[0], s.v[1] = u[1], s.w[2] = u[2];
            s.q[0] = std::cos(half), s.q[3] = std::sin(half);
            return s;
        }
        // spin along the body's own axes
        const double *q = data->qpos + 7 * i, *u = data->qvel + 6 * i;
        std::memcpy(s.x, q, sizeof s.x);
        std::memcpy(s.q, q + 3, sizeof s.q);
        std::memcpy(s.v, u, sizeof s.v);
        mju_rotVecQuat(s.w, u + 3, s.q);
        return s;
    }

    std::vector<Touch> touches() override
    {
        std::vector<Touch> all;
        for (int c = 0; c < data->ncon; c++) {
            const mjContact &found = data->contact[c];
            Touch t{};
            mjtNum force[6] = {0};
            mj_contactForce(model, data, c, force);
            // its normal is toward the second
            bool swap = index(found.geom2) < scene.bodies.size();
            double sign = swap ? 1 : -1;
            t.body1 = index(swap ? found.geom2 : found.geom1);
            t.body2 = index(swap ? found.geom1 : found.geom2);
            for (int k = 0; k < 3; k++) {
                t.point[k] = found.pos[k];
                t.normal[k] = sign * found.frame[k];
                t.impulse[k] = sign * scene.h *
                               (force[0] * found.frame[k] + force[1] * found.frame[3 + k] +
                                force[2] * found.frame[6 + k]);
            }
            t.gap = found.dist;
            t.target = NAN;
            all.push_back(t);
        }
        return all;
    }
};

std::vector<std::string> settings(int, bool round)
{
    if (round)
        return {"CG"};
    return {"Newton"};
}

std::unique_ptr<Program> make(const Scene &scene, const std::string &setting)
{
    return std::unique_ptr<Program>(new Mujoco(scene, setting));
}

} // namespace

int main(int argc, char **argv)
{
    return drive(argc, argv, {"mujoco", PEER_VERSION, settings, make});
}
