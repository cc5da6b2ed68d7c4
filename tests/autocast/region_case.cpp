// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast/region_case.h"

#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <QtTest/QtTest>

namespace binade::test {

namespace {

std::shared_ptr<const policy::Resolved> table(policy::Base base, at::ScalarType dtype) {
  policy::Policy policy;
  policy.base = base;
  policy.low = dtype == at::kHalf ? formats::kFloat16 : formats::kBFloat16;
  policy.execution = policy::Execution::kNative;
  policy.behaviour = policy::Behaviour::kPyTorch211;
  return autocast::table_for(policy);
}

thread_local int casts = 0;
thread_local std::vector<at::ScalarType> mm_dtypes;

std::unique_ptr<at::ObserverContext> note(const at::RecordFunction& function) {
  const std::string name = function.name();
  if (name == "aten::_to_copy") ++casts;
  if (name == "aten::mm" && !function.inputs().empty() && function.inputs()[0].isTensor()) {
    mm_dtypes.push_back(function.inputs()[0].toTensor().scalar_type());
  }
  return nullptr;
}

void record(const std::function<void()>& run) {
  casts = 0;
  mm_dtypes.clear();
  const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&note).needsInputs(true));
  struct Remove {
    at::CallbackHandle handle;
    ~Remove() { at::removeCallback(handle); }
  } remove{handle};
  run();
}

}  // namespace

void forms() {
  QTest::addColumn<Form>("form");
  QTest::newRow("native") << Form::kNative;
  QTest::newRow("policy") << Form::kPolicy;
}

autocast::Region open(Form form, std::optional<at::ScalarType> dtype, bool enabled, std::optional<bool> cache_enabled) {
  if (form == Form::kNative) return autocast::Region("cpu", dtype, enabled, cache_enabled);
  return autocast::Region(autocast::PolicyRegionArguments{table(policy::Base::kCpuAmp, dtype.value_or(at::kBFloat16)),
                                                          "cpu", enabled, cache_enabled});
}

CudaRegion::CudaRegion(Form form) : was_enabled_(at::autocast::is_autocast_enabled(at::kCUDA)) {
  if (form == Form::kPolicy) {
    region_.emplace(autocast::PolicyRegionArguments{table(policy::Base::kCudaAmp, at::kHalf), "cuda"});
  } else {
    at::autocast::set_autocast_enabled(at::kCUDA, true);
  }
}

CudaRegion::~CudaRegion() {
  region_.reset();
  at::autocast::set_autocast_enabled(at::kCUDA, was_enabled_);
}

int casts_of(const std::function<void()>& run) {
  record(run);
  return casts;
}

std::vector<at::ScalarType> mm_dtypes_of(const std::function<void()>& run) {
  record(run);
  return mm_dtypes;
}

std::string text(bool value) {
  return value ? "True" : "False";
}
std::string text(int value) {
  return std::to_string(value);
}
std::string text(at::ScalarType dtype) {
  switch (dtype) {
    case at::kFloat:
      return "torch.float32";
    case at::kDouble:
      return "torch.float64";
    case at::kHalf:
      return "torch.float16";
    case at::kBFloat16:
      return "torch.bfloat16";
    case at::kInt:
      return "torch.int32";
    default:
      return c10::toString(dtype);
  }
}

}  // namespace binade::test
