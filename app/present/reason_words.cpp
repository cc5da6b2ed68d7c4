// SPDX-License-Identifier: Apache-2.0
#include "app/present/reason_words.h"

#include "app/model/profile_track.h"
#include "app/model/translate.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace binade::app {

namespace {

struct Headline {
  std::string_view state;
  const char* text;
};

constexpr std::array kHeadlines{
    Headline{"off", QT_TRANSLATE_NOOP("Reason", "Nothing is measured now")},
    Headline{"no-driver", QT_TRANSLATE_NOOP("Reason", "Tensor cores need an NVIDIA GPU")},
    Headline{"no-device", QT_TRANSLATE_NOOP("Reason", "Tensor cores need an NVIDIA GPU")},
    Headline{"driver-init", QT_TRANSLATE_NOOP("Reason", "The GPU's driver does not work")},
    Headline{"built-without-cupti", QT_TRANSLATE_NOOP("Reason", "This build cannot read the GPU's counters")},
    Headline{"no-cupti", QT_TRANSLATE_NOOP("Reason", "The library that reads the GPU's counters is missing")},
    Headline{"cupti-version", QT_TRANSLATE_NOOP("Reason", "The library that reads the GPU's counters does not fit")},
    Headline{"cupti-init", QT_TRANSLATE_NOOP("Reason", "The library that reads the GPU's counters does not fit")},
    Headline{"no-permission", QT_TRANSLATE_NOOP("Reason", "You may not read this GPU's counters")},
    Headline{"busy", QT_TRANSLATE_NOOP("Reason", "Another tool holds the GPU's counters")},
    Headline{"other-tool", QT_TRANSLATE_NOOP("Reason", "Another tool traces this process")},
    Headline{"mig", QT_TRANSLATE_NOOP("Reason", "This slice of a GPU has no counters of its own")},
    Headline{"vgpu", QT_TRANSLATE_NOOP("Reason", "This virtual GPU gives no counters")},
    Headline{"no-metric", QT_TRANSLATE_NOOP("Reason", "This GPU has no tensor-core counter")},
    Headline{"no-gpm", QT_TRANSLATE_NOOP("Reason", "This GPU has no tensor-core counter")},
    Headline{"lost", QT_TRANSLATE_NOOP("Reason", "Measuring has stopped")},
    Headline{"overflow", QT_TRANSLATE_NOOP("Reason", "Samples came faster than they could be read")},
    Headline{"dropped", QT_TRANSLATE_NOOP("Reason", "Kernel records came faster than they could be read")},
};

}  // namespace

QString reasonHeadline(const std::string& state) {
  const auto found =
      std::find_if(kHeadlines.begin(), kHeadlines.end(), [&](const Headline& each) { return each.state == state; });
  return found == kHeadlines.end() ? tr("Tensor cores cannot be measured here") : tr(found->text);
}

Reason reasonOf(const RunModel& run) {
  const ProfileTrack& track = run.profile();
  if (track.empty()) {
    const bool off = run.config().profile.level == "off";
    if (!run.isActive() && !run.isEmpty())
      return {tr("This run was not profiled"),
              tr("A run recorded with the profiler on shows its curve here."),
              tr("\"profile\" in its description, or binade-engine train --profile counters, switches it on."),
              {},
              {},
              {}};
    return {tr("Nothing is measured yet"),
            off ? tr("The profiler is off in this run. Measure, below, switches it on.")
            : run.state() == wire::RunState::kPaused
                ? tr("The run is paused: the first samples come with the next steps.")
                : tr("The first samples appear after the next steps."),
            {},
            {},
            {},
            {}};
  }
  const wire::Profile& profile = track.latest();
  Reason reason;
  reason.headline = reasonHeadline(profile.curve.state);
  reason.sentence = QString::fromStdString(profile.curve.sentence);
  reason.next = QString::fromStdString(profile.curve.next);
  reason.code = QString::fromStdString(profile.curve.state);
  reason.missing << tr("Tensor-core share over time: nothing is drawn rather than zeros");
  if (hasSites(profile)) {
    reason.working << (profile.times.source == "kernel-records"
                           ? tr("Time per op call, forward and backward, from kernel records")
                           : tr("Time per op call, forward and backward, by the CPU's clock"));
  }
  reason.working << tr("Loss scale, overflows, gradients and op calls");
  return reason;
}

}  // namespace binade::app
