// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_text.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "engine/policy/runs_alike.h"
#include "views/values/numbers.h"

namespace binade::app {

QString tensorWords(const wire::WatchedTensor& tensor) {
  const QString argument = QString::fromStdString(tensor.argument);
  switch (tensor.kind) {
    case wire::WatchedTensor::Kind::kOutput:
      return argument.isEmpty() ? tr("output") : tr("output %1").arg(argument);
    case wire::WatchedTensor::Kind::kOutputGradient:
      return argument.isEmpty() ? tr("gradient of the output") : tr("gradient of output %1").arg(argument);
    case wire::WatchedTensor::Kind::kInputGradient:
      return tr("gradient of %1").arg(argument);
    case wire::WatchedTensor::Kind::kInput:
      return tr("%1 before its cast").arg(argument);
    case wire::WatchedTensor::Kind::kParameter:
      return tr("%1 as stored").arg(argument);
    case wire::WatchedTensor::Kind::kParameterGradient:
      return tr("gradient of %1 ÷ scale").arg(argument);
  }
  return {};
}

QString tensorText(const wire::WatchedTensor& tensor, const std::vector<wire::SiteInfo>& sites) {
  const auto at = static_cast<std::size_t>(tensor.site);
  if (isOfParameter(tensor) || tensor.site < 0 || at >= sites.size()) return tensorWords(tensor);
  return tr("%1  ·  %2").arg(callText(sites[at].key), tensorWords(tensor));
}

QString policyChangeText(const wire::PolicyApplied& before, const wire::PolicyApplied& after,
                         const std::vector<wire::SiteInfo>& sites) {
  int changed = 0;
  bool same_format = true;
  const policy::Decision* first = nullptr;
  std::size_t first_site = 0;
  for (std::size_t i = 0; i < after.decisions.size() && i < before.decisions.size(); ++i) {
    const policy::Decision& now = after.decisions[i];
    if (policy::runs_alike(before.decisions[i], now)) continue;
    if (first == nullptr) {
      first = &now;
      first_site = i;
    }
    same_format &= now.format == first->format;
    ++changed;
  }
  if (first == nullptr || first_site >= sites.size()) return tr("policy changed");
  const QString format = QString::fromStdString(formats::name(first->format));
  if (changed == 1) {
    const policy::SiteKey& key = sites[first_site].key;
    return tr("%1 → %2").arg(key.path.empty() ? callText(key) : QString::fromStdString(key.path), format);
  }
  return same_format ? tr("%1 op calls → %2").arg(views::grouped(changed), format)
                     : tr("%1 op calls changed").arg(views::grouped(changed));
}

namespace {

QString silentKindText(const wire::Event& event) {
  using Kind = wire::SilentFault::Kind;
  const auto* found = std::get_if<wire::SilentFaultFound>(&event.facts);
  if (found == nullptr) return tr("silent fault");
  switch (found->fault.kind) {
    case Kind::kUnderflow:
      return tr("values lost");
    case Kind::kUpdateLost:
      return tr("updates lost");
    case Kind::kDeadSite:
      return tr("dead op call");
    case Kind::kLossSpike:
      return tr("loss spike");
    case Kind::kLargeLogits:
      return tr("logits too large");
    case Kind::kInexactIntegers:
      return tr("inexact integers");
    case Kind::kLowState:
      return tr("coarse optimizer state");
    case Kind::kVanishedOverflow:
      return tr("hidden overflow");
    case Kind::kLostSum:
      return tr("inexact sum");
    case Kind::kLowScale:
      return tr("loss scale below 1");
    case Kind::kStaleScale:
      return tr("stale scale");
    case Kind::kSaturated:
      return tr("saturation");
    case Kind::kDeadBlocks:
      return tr("dead blocks");
    case Kind::kBiasedRounding:
      return tr("biased rounding");
    case Kind::kOutlierBlocks:
      return tr("outliers");
  }
  return {};
}

}  // namespace

QString eventKindText(const wire::Event& event) {
  switch (event.kind) {
    case wire::Event::Kind::kGradientOverflow:
      return tr("gradient overflow");
    case wire::Event::Kind::kForwardOverflow:
      return tr("forward overflow");
    case wire::Event::Kind::kNonFiniteLoss:
      return tr("loss not finite");
    case wire::Event::Kind::kScaleWarning:
      return tr("loss scale collapsing");
    case wire::Event::Kind::kDiverged:
      return tr("diverged");
    case wire::Event::Kind::kOutOfMemory:
      return tr("out of memory");
    case wire::Event::Kind::kFixHeld:
      return tr("fix held");
    case wire::Event::Kind::kFixFailed:
      return tr("fix failed");
    case wire::Event::Kind::kSilent:
      return silentKindText(event);
  }
  return {};
}

}  // namespace binade::app
