// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/open_cuda.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>

using namespace binade::test;
using nlohmann::json;

/// The rows of CUDA where there is a GPU: our region beside LibTorch's own autocast, on the device.
class TestCudaDevice : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    binade::host::open_cuda();
    if (at::getNumGPUs() == 0) QSKIP("needs a CUDA device: none is usable here");
  }

  void everyRowIsLibTorchsOwnToTheBit() {
    int rows = 0;
    int differing = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cuda") continue;
      ++rows;
      const Answer native = runIn<NativeRegion>(row);
      const Answer ours = runIn<OurRegion>(row, c10::kCUDA);
      const std::string found = difference(native, ours, results_of(row));
      if (found.empty()) continue;
      if (++differing <= 40) qInfo("%s: %s", row["id"].get<std::string>().c_str(), found.c_str());
    }
    qInfo("%d oracle rows, %d differ from LibTorch's own autocast on this GPU", rows, differing);
    QCOMPARE(rows, 4578);
    QCOMPARE(differing, 0);
  }

 private:
  /// Flash attention returns the state of a generator that it does not use without dropout, and memory that it used.
  static std::size_t results_of(const json& row) {
    return row["id"].get<std::string>().find("_scaled_dot_product_flash_attention") != std::string::npos ? 2 : SIZE_MAX;
  }

  template <class Region, class... Arguments>
  static Answer runIn(const json& row, Arguments... arguments) {
    at::manual_seed(1);
    const RowCall call = callOf(row, {.device = c10::kCUDA});
    const Region region(row["region"], arguments...);
    return call.run();
  }
};

BINADE_SUITE(TestCudaDevice);
#include "tst_cuda_device.moc"
