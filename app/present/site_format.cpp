// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_format.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"

#include <functional>
#include <optional>
#include <string>

namespace binade::app {

namespace {

QString noteOf(policy::Decision::Kind kind) {
  using Kind = policy::Decision::Kind;
  switch (kind) {
    case Kind::kFollow:
    case Kind::kLeave:
      return tr("follows");
    case Kind::kPromote:
      return tr("promote");
    case Kind::kBanned:
      return tr("refused");
    default:
      return {};
  }
}

/// Returns whether an op call belongs to a cross entropy of the run. Its log_softmax names the dtype of the model's
/// output, so no list changes it.
bool isInCrossEntropy(const RunModel& run, const wire::SiteInfo& site) {
  const auto losses = wire::losses_of(run.config());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const std::string path = losses.size() == 1 ? "loss" : "loss." + std::to_string(i);
    if (site.key.path == path) return losses[i].kind == "cross_entropy";
  }
  return false;
}

/// Returns the effective kind of a decision: an op that writes an argument computes in that argument's format, and
/// cross entropy in the format of the model's output.
policy::Decision::Kind kindOf(const RunModel& run, const policy::Decision& decision, int id) {
  using Kind = policy::Decision::Kind;
  const wire::SiteInfo& site = run.sites()[static_cast<std::size_t>(id)];
  if (decision.kind == Kind::kSetDtype && isInCrossEntropy(run, site)) return Kind::kFollow;
  const bool asks = decision.kind == Kind::kFormat || decision.kind == Kind::kPromote;
  return asks && site.in_place ? Kind::kFollow : decision.kind;
}

/// The decision for an op call at some step.
using DecisionOf = std::function<const policy::Decision*(int site)>;

/// The format of an op call's result. A result that was not observed, such as a view, has the format of the first
/// argument if the op call follows its arguments.
formats::Format heldFormat(const RunModel& run, int site, const DecisionOf& decisionOf, int depth = 0) {
  using Kind = policy::Decision::Kind;
  constexpr int kLongestChain = 16;  // op calls in a row of which none is observed
  const policy::Decision& decision = *decisionOf(site);
  const Kind kind = kindOf(run, decision, site);
  if (kind == Kind::kFormat) return decision.format;
  std::optional<formats::Format> seen;
  for (const int id : run.tensorsOf(site)) {
    const wire::WatchedTensor& tensor = run.tensor(id)->tensor;
    if (tensor.kind == wire::WatchedTensor::Kind::kOutput) seen = tensor.format;
  }
  if (seen) return *seen;
  const int producer = run.firstProducer(site);
  const bool follows = kind == Kind::kFollow || kind == Kind::kLeave;
  if (!follows || producer < 0 || depth == kLongestChain || decisionOf(producer) == nullptr) return decision.format;
  return heldFormat(run, producer, decisionOf, depth + 1);
}

SiteFormat formatBy(const RunModel& run, int site, const DecisionOf& decisionOf) {
  using Kind = policy::Decision::Kind;
  const policy::Decision* decision = decisionOf(site);
  if (decision == nullptr) return {};
  const Kind kind = kindOf(run, *decision, site);
  const formats::Format held = heldFormat(run, site, decisionOf);
  SiteFormat format{QString::fromStdString(formats::name(held)), noteOf(kind), views::CellExecution::kNative};
  if (kind == Kind::kFollow || kind == Kind::kLeave) {
    format.execution = views::CellExecution::kFollows;
  } else if (kind == Kind::kFormat && decision->execution == policy::Execution::kEmulated) {
    format.execution = views::CellExecution::kEmulated;
  }
  return format;
}

}  // namespace

SiteFormat siteFormat(const RunModel& run, int site) {
  return formatBy(run, site, [&run](int each) { return run.decision(each); });
}

SiteFormat siteFormatAt(const RunModel& run, int site, std::int64_t step) {
  const policy::Decision* then = run.decisionAt(site, step);
  const policy::Decision* now = run.decision(site);
  SiteFormat format = formatBy(run, site, [&run, step](int each) { return run.decisionAt(each, step); });
  const bool own = then != nullptr && kindOf(run, *then, site) == policy::Decision::Kind::kFormat;
  if (then != nullptr && now != nullptr && !own && then->kind != now->kind) format.name.clear();
  return format;
}

Cell formatCellAt(const RunModel& run, int site, std::int64_t step) {
  const SiteFormat format = siteFormatAt(run, site, step);
  Cell cell(format.name);
  cell.with(views::FormatRole, format.name);
  cell.with(views::ExecutionRole, static_cast<int>(format.execution));
  cell.with(views::NoteRole, format.note);
  return cell;
}

Cell callCell(const RunModel& run, int site) {
  const auto at = static_cast<std::size_t>(site);
  if (site < 0 || at >= run.sites().size()) return Cell(QStringLiteral("–"));
  Cell cell(callText(run.sites()[at].key));
  cell.with(views::CallFormsRole, run.callForms().of(site));
  return cell;
}

}  // namespace binade::app
