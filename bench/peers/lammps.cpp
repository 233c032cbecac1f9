/*
 * LAMMPS: soft spheres (gran/hooke/history) with explicit steps.
 *
 * The stiffness is such that the lowest layer under the weight of all overlaps by at most 0.08 % of r at
 * rest, and the step a fifteenth of the shortest contact's duration; a step of the scene is as many of them
 * as it takes.  Damping is near critical: the scenes have no restitution.  There are no impulses to be read,
 * and contacts are what overlaps.
 */
#include "driver.h"

#include <cmath>
#include <lammps/library.h>
#include <stdexcept>

namespace
{

const double OVERLAP = 8e-4; // of r, at rest
const double CHAIN = 4.8;    // a force chain's share of the mean force on the lowest layer
const double DAMPING = 0.7;  // of the critical one
const double PI = 3.14159265358979323846;

class Lammps : public Program
{
    const Scene scene;
    void *handle = nullptr;
    int substeps = 1;
    double stiffness = 0, damping = 0;
    std::vector<double> x, v, w;
    bool fresh = false; // x, v, w are those of the last step

    void command(const std::string &text)
    {
        lammps_command(handle, text.c_str());
        char message[512] = "";
        if (lammps_has_error(handle) != 0) {
            lammps_get_last_error_message(handle, message, sizeof message);
            throw std::runtime_error(text + ": " + message);
        }
    }
    static std::string number(double value)
    {
        char text[32];
        std::snprintf(text, sizeof text, " %.17g", value);
        return text;
    }

    // bodies above each other times the weight of the largest
    void choose_stiffness()
    {
        double top = 0, heaviest = 0, lightest = HUGE_VAL, g = std::abs(scene.gravity[scene.dim - 1]);
        for (const Body &b : scene.bodies) {
            top = std::fmax(top, b.x[scene.dim - 1]);
            heaviest = std::fmax(heaviest, b.mass);
            lightest = std::fmin(lightest, b.mass);
        }
        double layers = std::fmax(top / (2.5 * scene.size), 1), meff = 0.5 * lightest;
        stiffness = CHAIN * layers * 0.6 * heaviest * g / (OVERLAP * scene.size);
        double contact = PI * std::sqrt(meff / stiffness);
        substeps = int(std::ceil(scene.h / (contact / 15)));
        damping = 2 * DAMPING * std::sqrt(stiffness / (0.5 * heaviest));
    }

    void make_box()
    {
        double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        std::string region = "region box block";
        for (const Body &b : scene.bodies)
            for (int k = 0; k < 3; k++) {
                low[k] = std::fmin(low[k], b.x[k]);
                high[k] = std::fmax(high[k], b.x[k]);
            }
        // room for what spreads, and a flat box in 2D
        for (int k = 0; k < 3; k++) {
            double room = scene.dim == 2 && k == 2 ? 0.5 * scene.size : high[k] - low[k] + 5 * scene.size;
            region += number(low[k] - room) + number(high[k] + room);
        }
        command(scene.dim == 2 ? "dimension 2" : "dimension 3");
        command(scene.dim == 2 ? "boundary f f p" : "boundary f f f");
        command(region + " units box");
        command("create_box 1 box");
    }

    void make_atoms()
    {
        const std::size_t n = scene.bodies.size();
        std::vector<int> id(n), type(n, 1);
        std::vector<double> at(3 * n), still(3 * n);
        for (std::size_t i = 0; i < n; i++) {
            id[i] = int(i) + 1;
            for (int k = 0; k < 3; k++)
                at[3 * i + std::size_t(k)] = scene.bodies[i].x[k];
        }
        if (lammps_create_atoms(handle, int(n), id.data(), type.data(), at.data(), still.data(), nullptr,
                                0) != int(n))
            throw std::runtime_error("not all bodies could be made");
        const int *ids = static_cast<int *>(lammps_extract_atom(handle, "id"));
        double *radius = static_cast<double *>(lammps_extract_atom(handle, "radius")),
               *mass = static_cast<double *>(lammps_extract_atom(handle, "rmass"));
        for (std::size_t i = 0; i < n; i++) {
            radius[i] = scene.bodies[std::size_t(ids[i] - 1)].radius;
            mass[i] = scene.bodies[std::size_t(ids[i] - 1)].mass;
        }
    }

    std::string law()
    {
        return number(stiffness) + " NULL" + number(damping) + " NULL" + number(scene.friction) + " 1";
    }

    void make_walls()
    {
        for (std::size_t i = 0; i < scene.planes.size(); i++)
            for (int k = 0; k < 3; k++) {
                const Plane &p = scene.planes[i];
                std::string where = number(p.normal[k] * p.offset);
                if (p.normal[k] != 0)
                    command("fix wall" + std::to_string(i) + " all wall/gran hooke/history" + law() + " " +
                            "xyz"[k] + "plane" + (p.normal[k] > 0 ? where + " NULL" : " NULL" + where));
            }
    }

    void gather(const char *name, std::vector<double> &out)
    {
        out.resize(3 * scene.bodies.size());
        lammps_gather_atoms(handle, const_cast<char *>(name), 1, 3, out.data());
    }

  public:
    explicit Lammps(const Scene &s) : scene(s)
    {
        const char *arguments[] = {"lammps", "-screen", "none", "-log", "none", "-nocite"};
        handle = lammps_open_no_mpi(6, const_cast<char **>(arguments), nullptr);
        if (handle == nullptr)
            throw std::runtime_error("it does not start");
        choose_stiffness();
        for (const char *text :
             {"units si", "atom_style sphere", "atom_modify map array", "newton off", "comm_modify vel yes"})
            command(text);
        make_box();
        make_atoms();
        command("neighbor" + number(0.2 * s.size) + " bin");
        command("neigh_modify delay 0");
        command("pair_style gran/hooke/history" + law());
        command("pair_coeff * *");
        command("timestep" + number(s.h / substeps));
        command(s.dim == 2 ? "fix move all nve/sphere disc" : "fix move all nve/sphere");
        double g = std::sqrt(s.gravity[0] * s.gravity[0] + s.gravity[1] * s.gravity[1] +
                             s.gravity[2] * s.gravity[2]);
        command("fix weight all gravity" + number(g) + " vector" + number(s.gravity[0]) +
                number(s.gravity[1]) + number(s.gravity[2]));
        make_walls();
        if (s.dim == 2)
            command("fix flat all enforce2d");
        command("thermo 1000000000");
        command("thermo_modify lost warn");
        command("run 0");
    }
    ~Lammps() override
    {
        lammps_close(handle);
    }

    void step() override
    {
        command("run " + std::to_string(substeps) + " pre no post no");
        fresh = false;
    }
    double iterations() override
    {
        return substeps;
    }

    State state(std::size_t i) override
    {
        State s{};
        if (!fresh)
            gather("x", x), gather("v", v), gather("omega", w);
        fresh = true;
        for (std::size_t k = 0; k < 3; k++) {
            s.x[k] = x[3 * i + k];
            s.v[k] = v[3 * i + k];
            s.w[k] = w[3 * i + k];
        }
        s.q[0] = 1;
        return s;
    }

    std::string note() override
    {
        char text[96];
        std::snprintf(text, sizeof text, "stiffness %.3g N/m, steps of %.3g us", stiffness,
                      1e6 * scene.h / substeps);
        return text;
    }
};

std::vector<std::string> settings(int, bool round)
{
    if (!round)
        return {};
    return {"hooke"};
}

std::unique_ptr<Program> make(const Scene &scene, const std::string &setting)
{
    if (setting != "hooke" || !scene.round())
        throw std::runtime_error("setting '" + setting + "' is not for this scene");
    return std::unique_ptr<Program>(new Lammps(scene));
}

} // namespace

int main(int argc, char **argv)
{
    return drive(argc, argv, {"lammps", PEER_VERSION, settings, make});
}
