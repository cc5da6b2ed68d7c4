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

// What counters need. The profiler looks for the first three in this order. The order of the others differs between
// devices and versions of CUPTI, so a failure of one of them says nothing of those after it.
enum Check { kDriver, kStart, kGpu, kCupti, kMatch, kPermission, kSupport, kFree };
constexpr std::array kCheckNames{
    QT_TRANSLATE_NOOP("Reason", "NVIDIA driver"),
    QT_TRANSLATE_NOOP("Reason", "Start of the driver"),
    QT_TRANSLATE_NOOP("Reason", "GPU"),
    QT_TRANSLATE_NOOP("Reason", "CUPTI 13"),
    QT_TRANSLATE_NOOP("Reason", "CUPTI fits the driver"),
    QT_TRANSLATE_NOOP("Reason", "Permission for counters"),
    QT_TRANSLATE_NOOP("Reason", "Counters of this GPU"),
    QT_TRANSLATE_NOOP("Reason", "No other tool holds them"),
};

struct FailedCheck {
  std::string_view state;
  Check check;
  int passed;        ///< how many checks are known to have passed
  bool ends_checks;  ///< the later ones were not made
  const char* answer;
};

constexpr std::array kFailedChecks{
    FailedCheck{"no-driver", kDriver, kDriver, true, QT_TRANSLATE_NOOP("Reason", "not found")},
    // Also reported if a context cannot be made, after the GPU and CUPTI were found.
    FailedCheck{"driver-init", kStart, kStart, false, QT_TRANSLATE_NOOP("Reason", "failed")},
    FailedCheck{"no-device", kGpu, kGpu, true, QT_TRANSLATE_NOOP("Reason", "none visible")},
    FailedCheck{"built-without-cupti", kCupti, kCupti, true, QT_TRANSLATE_NOOP("Reason", "not in this build")},
    FailedCheck{"no-cupti", kCupti, kCupti, false, QT_TRANSLATE_NOOP("Reason", "not found")},
    FailedCheck{"cupti-version", kCupti, kCupti, true, QT_TRANSLATE_NOOP("Reason", "another version")},
    FailedCheck{"cupti-init", kMatch, kMatch, false, QT_TRANSLATE_NOOP("Reason", "does not fit")},
    FailedCheck{"no-permission", kPermission, kPermission, false, QT_TRANSLATE_NOOP("Reason", "administrators only")},
    FailedCheck{"mig", kSupport, kPermission, false, QT_TRANSLATE_NOOP("Reason", "not for this MIG slice")},
    FailedCheck{"vgpu", kSupport, kPermission, false, QT_TRANSLATE_NOOP("Reason", "not for this virtual GPU")},
    FailedCheck{"unsupported", kSupport, kPermission, false, QT_TRANSLATE_NOOP("Reason", "cannot be sampled")},
    FailedCheck{"no-metric", kSupport, kPermission, false, QT_TRANSLATE_NOOP("Reason", "no tensor-core counter")},
    FailedCheck{"busy", kFree, kPermission, true, QT_TRANSLATE_NOOP("Reason", "held by another tool")},
};

}  // namespace

QList<DeviceCheck> deviceChecks(const std::string& state) {
  using Result = DeviceCheck::Result;
  const auto failed = std::find_if(kFailedChecks.begin(), kFailedChecks.end(),
                                   [&](const FailedCheck& each) { return each.state == state; });
  if (failed == kFailedChecks.end()) return {};
  QList<DeviceCheck> checks;
  for (int i = 0; i < static_cast<int>(kCheckNames.size()); ++i) {
    const QString name = tr(kCheckNames[static_cast<std::size_t>(i)]);
    if (i == failed->check) {
      checks.append({name, tr(failed->answer), Result::kFailed});
    } else if (i < failed->passed) {
      checks.append({name, tr("passed"), Result::kPassed});
    } else if (i > failed->check && failed->ends_checks) {
      checks.append({name, tr("not reached"), Result::kNotReached});
    } else {
      checks.append({name, tr("not reported"), Result::kNotReported});
    }
  }
  return checks;
}

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
