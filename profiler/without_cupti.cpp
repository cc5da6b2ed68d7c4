// SPDX-License-Identifier: Apache-2.0
// Compiled instead of the files that use CUPTI when its headers are missing.
#include "profiler/cupti.h"

namespace binade::profiler {

namespace {

class NoKernels : public KernelSource {
 public:
  Status start() override { return status(Code::kBuiltWithout); }
  void stop() override {}
  std::uint64_t now() const noexcept override { return 0; }
  void push(OpKey /*op*/) noexcept override {}
  void pop() noexcept override {}
  std::optional<Status> flush() override { return std::nullopt; }
  std::vector<Kernel> take() override { return {}; }
  std::vector<std::string> names() const override { return {}; }
  KernelCounts counts() const override { return {}; }
};

}  // namespace

struct CuptiFunctions {};

bool built_with_cupti() {
  return false;
}

Cupti open_cupti() {
  Cupti cupti;
  cupti.state = status(Code::kBuiltWithout);
  return cupti;
}

MetricChoice choose_metrics(const CuptiFunctions& /*cupti*/, const std::string& /*chip*/,
                            const std::vector<std::uint8_t>& /*availability*/) {
  return {};
}

std::vector<std::string> known_chips(const CuptiFunctions& /*cupti*/) {
  return {};
}

Counters probe_counters(Driver& /*driver*/, const Cupti& cupti, int /*device*/) {
  Counters counters;
  counters.state = cupti.state;
  return counters;
}

std::unique_ptr<SampleSource> make_pm_source(std::shared_ptr<const CuptiFunctions> /*cupti*/,
                                             std::shared_ptr<Driver> /*driver*/, int /*device*/,
                                             Counters /*counters*/) {
  return nullptr;
}

std::unique_ptr<KernelSource> make_activity_source(std::shared_ptr<const CuptiFunctions> /*cupti*/) {
  return std::make_unique<NoKernels>();
}

}  // namespace binade::profiler
