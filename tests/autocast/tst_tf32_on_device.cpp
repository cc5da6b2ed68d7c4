// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/open_cuda.h"
#include "tests/autocast/tf32_run.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>

using namespace binade;
using test::first_in_tf32;
using test::Tf32Run;

/// TF32 of one site where the hardware has it; the switch itself is shown by TestTf32 everywhere.
class TestTf32OnDevice : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    binade::host::open_cuda();
    if (at::getNumGPUs() == 0) QSKIP("needs a CUDA device of capability 8 or more: none is usable here");
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
  }

  void valuesOnTheDeviceAreThoseOfTf32() {
    const at::Device device(at::kCUDA);
    at::manual_seed(1);
    const at::Tensor x = at::randn({256, 256}).to(device);
    const at::Tensor v = at::randn({256, 256}).to(device).requires_grad_(true);
    const at::Tensor w = at::randn({256, 256}).to(device);
    Tf32Run run(first_in_tf32());
    run(x, v, w).sum().backward();
    const at::Tensor ours = v.grad().clone();
    // Without TF32 the same run gives other bits. Most differ by a rounding; where TF32 moves an argument of relu
    // across 0, a whole term comes or goes, so only the norm is close.
    Tf32Run plain(test::stock(policy::Base::kAllFloat32, formats::kFloat16));
    v.mutable_grad() = at::Tensor();
    plain(x, v, w).sum().backward();
    QVERIFY(!ours.equal(v.grad()));
    const double apart = (ours - v.grad()).norm().item<double>() / v.grad().norm().item<double>();
    QVERIFY2(apart < 0.05, QByteArray::number(apart));
  }
};

BINADE_SUITE(TestTf32OnDevice);
#include "tst_tf32_on_device.moc"
