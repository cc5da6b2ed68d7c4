// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/region.h"

#include <ATen/core/Tensor.h>
#include <QtCore/QMetaType>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace binade::test {

/// The two forms of a region that must behave alike.
enum class Form { kNative, kPolicy };

/// One row of test data, column `form`, for each form.
void forms();

/// A CPU region of a form: over LibTorch's autocast, or over its lists as a policy under `behaviour: pytorch-2.11`.
/// Without a dtype a policy takes bfloat16.
autocast::Region open(Form form, std::optional<at::ScalarType> dtype = {}, bool enabled = true,
                      std::optional<bool> cache_enabled = {});

/// A region of CUDA, on a machine that may have none.
class CudaRegion {
 public:
  explicit CudaRegion(Form form);
  ~CudaRegion();
  CudaRegion(const CudaRegion&) = delete;
  CudaRegion& operator=(const CudaRegion&) = delete;

 private:
  bool was_enabled_;
  std::optional<autocast::Region> region_;
};

/// Casts (`aten::_to_copy`) that `run` makes on this thread.
int casts_of(const std::function<void()>& run);

/// First arguments' dtypes of every `aten::mm` that `run` calls on this thread.
std::vector<at::ScalarType> mm_dtypes_of(const std::function<void()>& run);

// As Python writes them.
std::string text(bool value);
std::string text(int value);
std::string text(at::ScalarType dtype);

/// A parenthesised list: `(True, 1)`.
template <class... Values>
std::string tuple(const Values&... values) {
  std::string all;
  const auto add = [&all](const std::string& value) { all += (all.empty() ? "" : ", ") + value; };
  const auto written = [](const auto& value) {
    if constexpr (std::is_convertible_v<decltype(value), std::string>) {
      return std::string(value);
    } else {
      return text(value);
    }
  };
  (add(written(values)), ...);
  return "(" + all + ")";
}

/// A case of PyTorch 2.11's cast cache, regions, threads and custom functions, by the name that its recorded results
/// have.
struct RegionCase {
  const char* name;
  std::string (*run)(Form form);
  bool policy_too = true;  ///< whether a policy's region has it as well
};

const std::vector<RegionCase>& cache_cases();
const std::vector<RegionCase>& nesting_cases();
const std::vector<RegionCase>& machinery_cases();

}  // namespace binade::test

Q_DECLARE_METATYPE(binade::test::Form)
