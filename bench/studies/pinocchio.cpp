// Pinocchio called from C++, for the bench: a rigid serial robot, and the time of n calls in a row.
#include <chrono>

#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/jacobian.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"

using Eigen::Map, Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;
using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct Peer {
  pinocchio::Model model;
  pinocchio::Data data;
  VectorXd q, v, tau;
  pinocchio::Data::Matrix6x J;
};

// Of each link: 1 where it turns, 0 where it slides; R (9), r (3), mass, centre (3), inertia (9).
extern "C" Peer* make(int n, const int* turns, const double* numbers, const double* gravity) {
  pinocchio::Model model;
  pinocchio::JointIndex parent = 0;
  for (int i = 0; i < n; ++i, numbers += 25) {
    pinocchio::SE3 place(Matrix3d(Map<const Rows>(numbers)), Map<const Vector3d>(numbers + 9));
    pinocchio::Inertia inertia(numbers[12], Map<const Vector3d>(numbers + 13),
                               pinocchio::Symmetric3(Matrix3d(Map<const Rows>(numbers + 16))));
    const std::string name = "link" + std::to_string(i);
    parent = turns[i] ? model.addJoint(parent, pinocchio::JointModelRZ(), place, name)
                      : model.addJoint(parent, pinocchio::JointModelPZ(), place, name);
    model.appendBodyToJoint(parent, inertia, pinocchio::SE3::Identity());
  }
  model.gravity.linear() = Map<const Vector3d>(gravity);
  pinocchio::Data data(model);
  const VectorXd zero = VectorXd::Zero(n);
  return new Peer{std::move(model), std::move(data), zero, zero, zero, pinocchio::Data::Matrix6x::Zero(6, n)};
}

extern "C" void drop(Peer* p) { delete p; }

extern "C" void state(Peer* p, const double* q, const double* v, const double* tau) {
  p->q = Map<const VectorXd>(q, p->model.nv);
  p->v = Map<const VectorXd>(v, p->model.nv);
  p->tau = Map<const VectorXd>(tau, p->model.nv);
}

// Arguments as the library of the wheel was made for them, so that nothing is compiled anew.
static void once(Peer& p, int what) {
  const Eigen::Ref<const VectorXd> q(p.q), v(p.v), tau(p.tau);
  Eigen::Ref<pinocchio::Data::Matrix6x> J(p.J);
  switch (what) {
    case 0: pinocchio::aba(p.model, p.data, q, v, tau, pinocchio::Convention::LOCAL); break;
    case 1: pinocchio::aba(p.model, p.data, q, v, tau, pinocchio::Convention::WORLD); break;
    case 2: pinocchio::rnea(p.model, p.data, q, v, tau); break;
    case 3: pinocchio::crba(p.model, p.data, q, pinocchio::Convention::LOCAL); break;
    case 4: pinocchio::crba(p.model, p.data, q, pinocchio::Convention::WORLD); break;
    case 5: pinocchio::computeMinverse(p.model, p.data, q); break;
    case 6: pinocchio::computeRNEADerivatives(p.model, p.data, q, v, tau); break;
    case 7: pinocchio::computeABADerivatives(p.model, p.data, q, v, tau); break;
    case 8: pinocchio::computeJointJacobian(p.model, p.data, q, p.model.njoints - 1, J); break;
  }
}

// Seconds for n calls.
extern "C" double run(Peer* p, int what, long n) {
  const auto start = std::chrono::steady_clock::now();
  for (long k = 0; k < n; ++k) once(*p, what);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What `once` left, in the rows of its matrix, for a comparison.
extern "C" void result(Peer* p, int what, double* out) {
  const int n = p->model.nv;
  once(*p, what);
  using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  auto symmetric = [&](const auto& A) {
    Map<Table>(out, n, n) = A.template selfadjointView<Eigen::Upper>();
  };
  switch (what) {
    case 0: case 1: Map<VectorXd>(out, n) = p->data.ddq; break;
    case 2: Map<VectorXd>(out, n) = p->data.tau; break;
    case 3: case 4: symmetric(p->data.M); break;
    case 5: symmetric(p->data.Minv); break;
    case 6: Map<Table>(out, n, n) = p->data.dtau_dq; break;
    case 7: Map<Table>(out, n, n) = p->data.ddq_dq; break;
    case 8: Map<Table>(out, 6, n) = p->J; break;
  }
}
