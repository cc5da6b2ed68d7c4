// SPDX-License-Identifier: Apache-2.0
#include "app/present/silent_brief.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "views/values/numbers.h"

namespace binade::app {

namespace {

using FaultKind = wire::SilentFault::Kind;

// `layer1.0.conv1`; an op call outside of modules has its own name.
QString placeText(const wire::SilentFault& fault, const std::vector<wire::SiteInfo>& sites) {
  const auto at = static_cast<std::size_t>(fault.site);
  if (fault.site < 0 || at >= sites.size()) return callOrIndex(sites, fault.site);
  const std::string& path = sites[at].key.path;
  return path.empty() ? callText(sites[at].key) : QString::fromStdString(path);
}

QString underflowBrief(const wire::SilentFault& fault, const QString& place) {
  const QString share = views::share(fault.facts.share);
  if (fault.unit == wire::SilentFault::Unit::kArgumentNorm)
    return tr("%1 of %2 loses %3").arg(QString::fromStdString(fault.what), place, share);
  return tr("%1 loses %2").arg(place, share);
}

}  // namespace

QString silentBrief(const wire::SilentFault& fault, const std::vector<wire::SiteInfo>& sites) {
  const wire::SilentFacts& facts = fault.facts;
  const QString place = placeText(fault, sites);
  const QString what = QString::fromStdString(fault.what);
  const QString share = views::share(facts.share);
  switch (fault.kind) {
    case FaultKind::kUnderflow:
      return underflowBrief(fault, place);
    case FaultKind::kUpdateLost:
      return tr("%1 loses %2 of its update").arg(what, share);
    case FaultKind::kDeadSite:
      return fault.direction == wire::Direction::kBackward ? tr("%1 receives only zeros as gradient").arg(place)
                                                           : tr("%1 gives only zeros").arg(place);
    case FaultKind::kLossSpike:
      return tr("loss %1 at step %2, usually %3")
          .arg(views::figure(facts.loss.value_or(0)), views::grouped(facts.step.value_or(0)),
               views::figure(facts.usual_loss.value_or(0)));
    case FaultKind::kLargeLogits:
      return tr("logits of %1 reach %2").arg(place, views::figure(facts.largest.value_or(0)));
    case FaultKind::kInexactIntegers:
      return tr("whole numbers in %1 of %2 change").arg(what, place);
    case FaultKind::kLowState:
      return tr("the optimizer's %1 is too coarse").arg(what);
    case FaultKind::kVanishedOverflow:
      return tr("an overflow of %1 vanishes").arg(place);
    case FaultKind::kLostSum:
      return tr("a sum at %1 is %2 off").arg(place, share);
    case FaultKind::kLowScale:
      return tr("loss scale %1 since step %2")
          .arg(views::scaleText(facts.scale.value_or(0)), views::grouped(facts.step.value_or(0)));
    case FaultKind::kStaleScale:
      return tr("the scale of %1 is stale").arg(place);
    case FaultKind::kSaturated:
      return tr("values of %1 saturate").arg(place);
    case FaultKind::kDeadBlocks:
      return tr("whole blocks of %1 become 0").arg(place);
    case FaultKind::kBiasedRounding:
      return tr("rounding shifts the mean of %1").arg(place);
    case FaultKind::kOutlierBlocks:
      return tr("outliers spoil blocks of %1").arg(place);
  }
  return {};
}

}  // namespace binade::app
