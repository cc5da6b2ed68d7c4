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
    Headline{"off", QT_TRANSLATE_NOOP("Reason", "Nothing is being measured")},
    Headline{"no-driver", QT_TRANSLATE_NOOP("Reason", "Tensor cores need an NVIDIA GPU")},
    Headline{"no-device", QT_TRANSLATE_NOOP("Reason", "Tensor cores need an NVIDIA GPU")},
    Headline{"driver-init", QT_TRANSLATE_NOOP("Reason", "The GPU driver does not work")},
    Headline{"built-without-cupti", QT_TRANSLATE_NOOP("Reason", "This build does not support GPU counters")},
    Headline{"no-cupti", QT_TRANSLATE_NOOP("Reason", "The library for GPU counters is missing")},
    Headline{"cupti-version", QT_TRANSLATE_NOOP("Reason", "The library for GPU counters is incompatible")},
    Headline{"cupti-init", QT_TRANSLATE_NOOP("Reason", "The library for GPU counters is incompatible")},
    Headline{"no-permission", QT_TRANSLATE_NOOP("Reason", "No permission to read this GPU's counters")},
    Headline{"busy", QT_TRANSLATE_NOOP("Reason", "Another tool is using the GPU's counters")},
    Headline{"other-tool", QT_TRANSLATE_NOOP("Reason", "Another tool is tracing this process")},
    Headline{"mig", QT_TRANSLATE_NOOP("Reason", "This GPU slice has no counters of its own")},
    Headline{"vgpu", QT_TRANSLATE_NOOP("Reason", "This virtual GPU provides no counters")},
    Headline{"no-metric", QT_TRANSLATE_NOOP("Reason", "This GPU has no tensor-core counter")},
    Headline{"no-gpm", QT_TRANSLATE_NOOP("Reason", "This GPU has no tensor-core counter")},
    Headline{"lost", QT_TRANSLATE_NOOP("Reason", "Measurement has stopped")},
    Headline{"overflow", QT_TRANSLATE_NOOP("Reason", "Samples arrived faster than they could be read")},
    Headline{"dropped", QT_TRANSLATE_NOOP("Reason", "Kernel records arrived faster than they could be read")},
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
      return {
          tr("This run was not profiled"),
          tr("The tensor-core curve appears here for runs that were recorded with the profiler on."),
          tr("To switch it on, set \"profile\" in the run description, or use binade-engine train --profile counters."),
          {},
          {},
          {}};
    return {tr("Nothing has been measured yet"),
            off ? tr("The profiler is off in this run. Press Measure below to switch it on.")
            : run.state() == wire::RunState::kPaused
                ? tr("The run is paused. The first samples appear after the next steps.")
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
  reason.missing << tr("Tensor-core share over time (not shown, because it is unknown)");
  if (hasSites(profile)) {
    reason.working << (profile.times.source == "kernel-records"
                           ? tr("Time per op call, forward and backward, from kernel records")
                           : tr("Time per op call, forward and backward, by the CPU clock"));
  }
  reason.working << tr("Loss scale, overflows, gradients and op calls");
  return reason;
}

}  // namespace binade::app
