// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/oracle_case.h"

#include <array>

namespace binade::test {

const char* const kRefusedByTheCompiler = "the compiler refuses it";

namespace {

// What the table says the compiler refuses, it refuses.
template <class Scaler>
concept TakesText = requires(Scaler scaler, const char* text) {
  scaler.update(text);
};
template <class Scaler>
concept TakesAFractionalInterval = requires(Scaler scaler) {
  scaler.set_growth_interval(2.5);
};
static_assert(!TakesText<scaler::GradScaler>);
static_assert(!TakesAFractionalInterval<scaler::GradScaler>);

struct Row {
  const char* call;
  const char* type;
  const char* text;
  const char* ours;
};

constexpr std::array kTable = {
    Row{"load_state_dict", "KeyError", "'growth_factor'", "The source state dict has no 'growth_factor'."},
    Row{"load_state_dict", "KeyError", "'_growth_tracker'", "The source state dict has no '_growth_tracker'."},
    Row{"update", "AttributeError", "'int' object has no attribute 'device'",
        "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
        "requires_grad=False."},
    Row{"update", "AttributeError", "'str' object has no attribute 'device'", kRefusedByTheCompiler},
    // Python notices the interval of 2.5 only here; C++ when it is set.
    Row{"update", "TypeError", "_amp_update_scale_(): argument 'growth_interval' (position 6) must be int, not float",
        kRefusedByTheCompiler},
};

}  // namespace

std::string mappedError(const std::string& call, const std::string& type, const std::string& text) {
  for (const Row& row : kTable) {
    if (call == row.call && type == row.type && text == row.text) return row.ours;
  }
  return {};
}

}  // namespace binade::test
