// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"

namespace binade::report {

namespace {

bool was_rewound(const RunContent& run) {
  for (const HistoryItem& item : run.history) {
    if (std::holds_alternative<wire::Rewound>(item)) return true;
  }
  return false;
}

}  // namespace

std::vector<StepMark> edits_of(const RunContent& run) {
  std::vector<StepMark> marks;
  for (const HistoryItem& item : run.history) {
    if (const auto* edit = std::get_if<PolicyEdit>(&item)) {
      marks.push_back({edit->step, "policy edited at step " + count_text(edit->step)});
    } else if (const auto* change = std::get_if<wire::ScalerChanged>(&item)) {
      marks.push_back({change->step, "loss scaler changed at step " + count_text(change->step)});
    } else if (const auto* rewound = std::get_if<wire::Rewound>(&item)) {
      marks.push_back({rewound->step, "rewound to step " + count_text(rewound->step)});
    } else if (const auto* written = std::get_if<wire::Note>(&item); written != nullptr && !written->text.empty()) {
      marks.push_back({written->step, "note on step " + count_text(written->step) + ": " + written->text});
    }
  }
  return marks;
}

Section charts_section(const RunContent& run) {
  Section section{"charts", "Charts", {}};
  if (run.steps == 0) {
    section.body = note("No step was recorded.");
    return section;
  }
  const StepRange range = range_of(run);
  const std::vector<StepMark> edits = edits_of(run);
  Chart loss{.id = "loss", .title = "Loss", .says = "Unscaled loss of each step.", .edits = edits};
  loss.may_use_powers = true;
  loss.series = {{&run.loss, "loss"}};
  section.body += chart_html(loss, range);

  Chart scale{.id = "loss-scale", .title = "Loss scale", .says = "Loss scale of each step.", .edits = edits};
  if (run.last && run.last->scalers.size() > 1) scale.says = "Loss scale of each step, of the first scaler.";
  scale.scale = Axis::Scale::kPowersOf2;
  scale.series = {{&run.loss_scale, "loss scale"}};
  scale.marks = &run.overflows;
  scale.marks_name = "overflow";
  section.body += chart_html(scale, range);

  Chart norm{.id = "gradient-norm", .title = "Gradient norm", .edits = edits};
  norm.says = "Norm of all gradients together, unscaled and before clipping.";
  norm.may_use_powers = true;
  norm.series = {{&run.gradient_norm, "norm"}};
  section.body += chart_html(norm, range);

  Chart time{.id = "step-time", .title = "Step time", .edits = edits};
  time.says = "Wall time of each step in milliseconds, with observing.";
  time.may_use_powers = true;
  time.series = {{&run.step_milliseconds, "time"}};
  section.body += chart_html(time, range);
  if (was_rewound(run)) {
    section.body += note(
        "Steps that a rewind undid are not drawn. Where columns combine steps, the column before a "
        "rewind may still contain some of them.");
  }
  return section;
}

}  // namespace binade::report
