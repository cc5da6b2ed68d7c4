// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/words/numbers.h"

#include <algorithm>

namespace binade::report {

namespace {

constexpr std::size_t kMostTensors = 40;

std::string tensor_words(const RunContent& run, const wire::WatchedTensor& tensor) {
  using Kind = wire::WatchedTensor::Kind;
  const std::string place = run.place(tensor.site);
  switch (tensor.kind) {
    case Kind::kOutput:
      return "output of " + place;
    case Kind::kOutputGradient:
      return "gradient of the output of " + place;
    case Kind::kInputGradient:
      return "gradient of " + tensor.argument + " of " + place;
    case Kind::kInput:
      return "argument " + tensor.argument + " of " + place;
    case Kind::kParameter:
      return "parameter " + tensor.argument;
    case Kind::kParameterGradient:
      return "unscaled gradient of " + tensor.argument;
  }
  return {};
}

/// How much of the recording the section is based on.
std::string basis_of(const Observed& observed) {
  if (observed.read == observed.steps) return counted(observed.steps, "step was", "steps were") + " observed.";
  return counted(observed.steps, "step was", "steps were") + " observed; " + count_text(observed.read) +
         " evenly chosen ones were read.";
}

/// Number of overflows. Behind a rounding only the values that are not finite can be counted.
std::string overflow_text(const TensorSummary& summary) {
  if (!summary.censored || summary.overflow > 0 || summary.non_finite == 0) return words::grouped(summary.overflow);
  return words::grouped(summary.non_finite) + " not finite";
}

Html tensor_table(const RunContent& run, const Observed& observed) {
  Table table({{"Tensor"},
               {"Format"},
               {"Doublings left", true},
               {"at step", true},
               {"Largest", true},
               {"Overflowed", true},
               {"Underflowed", true}});
  for (std::size_t i = 0; i < std::min(observed.tensors.size(), kMostTensors); ++i) {
    const TensorSummary& summary = observed.tensors[i];
    const wire::WatchedTensor& tensor = run.tensors.at(summary.tensor);
    const Html left = text(doublings_text(summary.headroom));
    const auto share =
        static_cast<double>(summary.underflow) / static_cast<double>(std::max(summary.values, std::uint64_t{1}));
    table.add({text(tensor_words(run, tensor)),
               text(formats::name(tensor.format) + (tensor.emulated ? ", emulated" : "")),
               summary.headroom < 0 ? element("span", left, "badge bad") : left,
               text(count_text(summary.headroom_step)), number_cell(static_cast<double>(summary.largest)),
               text(overflow_text(summary)), text(summary.censored ? "not measured" : words::percent(share))});
  }
  return table.html();
}

}  // namespace

Section headroom_section(const RunContent& run, const Observed& observed) {
  Section section{"headroom", "Headroom", {}};
  if (observed.read == 0) {
    section.body = note("Statistics of tensors were not recorded.");
    return section;
  }
  Chart chart{.id = "headroom-chart", .title = "Doublings left", .edits = edits_of(run)};
  chart.says =
      "How often the largest magnitude can double before it overflows in its format: the smallest of all "
      "observed tensors. " +
      basis_of(observed);
  chart.series = {{&observed.forward, "outputs and arguments", "s1", true},
                  {&observed.backward, "gradients, scaled", "s2", true}};
  section.body = chart_html(chart, range_of(run));
  section.body += heading(3, "headroom-tensors", "Tensors with the least headroom");
  if (observed.tensors.empty()) {
    section.body += note("No tensor had a value other than 0.");
    return section;
  }
  section.body += tensor_table(run, observed);
  if (observed.tensors.size() > kMostTensors) {
    section.body += note("The " + std::to_string(kMostTensors) + " tensors with the least headroom of " +
                         std::to_string(observed.tensors.size()) + ".");
  }
  return section;
}

Section gradients_section(const RunContent& run, const Observed& observed) {
  Section section{"gradients", "Gradients per parameter", {}};
  const bool any = std::any_of(observed.gradients.begin(), observed.gradients.end(),
                               [](const HeatRow& row) { return !row.exponents.empty(); });
  if (!any) {
    section.body = note("Gradients of parameters were not recorded. Observing records them from level range on.");
    return section;
  }
  Html caption = text(
      "Root mean square of each parameter's unscaled gradient, as a power of 2. A cell shows the largest "
      "value of its steps; without an observed step it is empty. " +
      basis_of(observed));
  if (observed.gradients.size() < observed.all_gradients) {
    caption += text(" The first " + std::to_string(observed.gradients.size()) + " of " +
                    std::to_string(observed.all_gradients) + " parameters are drawn.");
  }
  section.body = Html{"<figure id=\"heat-map\">\n"} +
                 heat_map_html("Gradients per parameter over steps", observed.gradients, range_of(run)) +
                 element("figcaption", caption) + Html{"</figure>\n"};
  return section;
}

}  // namespace binade::report
