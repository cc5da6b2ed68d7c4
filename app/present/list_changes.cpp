// SPDX-License-Identifier: Apache-2.0
#include "app/present/list_changes.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/resolve.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace binade::app {

namespace {

constexpr std::size_t kMostNamedCalls = 3;

policy::Policy bareList(const policy::Policy& policy) {
  return policy::base_policy(policy::name(policy.base)).value_or(policy::Policy());
}

/// Follows which change decides for which op call, and what the base list would give it.
class ListChangeFinder {
 public:
  ListChangeFinder(const policy::Policy& policy, const wire::ModelInfo& model)
      : policy_(policy), list_(bareList(policy)), model_(model), places_(model) {
    std::vector<policy::SiteKey> keys;
    for (const wire::SiteInfo& site : model.sites) keys.push_back(site.key);
    const policy::Capabilities every{.native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true};
    now_ = policy::resolve(policy_, keys, every, places_.places());
    before_ = policy::resolve(list_, keys, every, places_.places());
    for (std::size_t i = 0; i < now_.sites.size(); ++i) note(now_.sites[i], i);
    for (const auto& [site_and_call, decision] : now_.calls) {
      if (decision.rule >= 0) note(decision, static_cast<std::size_t>(site_and_call.first));
    }
  }

  QList<ListChange> find() {
    addField(ListChange::Kind::kLow, tr("low format"), formats::name(list_.low), formats::name(policy_.low));
    addField(ListChange::Kind::kExecution, tr("execution"), policy::name(list_.execution),
             policy::name(policy_.execution));
    addField(ListChange::Kind::kBehaviour, tr("behaviour"), policy::name(list_.behaviour),
             policy::name(policy_.behaviour));
    for (const auto& [op, change] : policy_.ops) {
      ListChange& made = changes_.emplace_back();
      made.kind = ListChange::Kind::kOp;
      made.op = op;
      made.place = tr("every %1").arg(QString::fromStdString(op));
      made.after = QString::fromStdString(policy::to_text(change));
      complete(made, by_op_[op]);
    }
    for (std::size_t i = 0; i < policy_.sites.size(); ++i) {
      const policy::SiteRule& rule = policy_.sites[i];
      ListChange& made = changes_.emplace_back();
      made.kind = ListChange::Kind::kRule;
      made.rule = i;
      made.place = QString::fromStdString(rule.match);
      if (rule.call) made.place = tr("%1, call %2").arg(made.place).arg(*rule.call);
      made.after = QString::fromStdString(formats::name(rule.format));
      if (rule.backward)
        made.after = tr("%1, gradients %2").arg(made.after, QString::fromStdString(formats::name(*rule.backward)));
      made.why = QString::fromStdString(rule.why);
      complete(made, by_rule_[i]);
    }
    return changes_;
  }

 private:
  void note(const policy::Decision& decision, std::size_t site) {
    if (decision.rule >= 0) {
      std::vector<int>& calls = by_rule_[static_cast<std::size_t>(decision.rule)];
      if (calls.empty() || calls.back() != static_cast<int>(site)) calls.push_back(static_cast<int>(site));
    } else if (decision.rule == policy::kFromOpChange) {
      const policy::SiteKey& key = model_.sites[site].key;
      const std::string overload = key.op + '.' + (key.overload.empty() ? "default" : key.overload);
      by_op_[policy_.ops.contains(overload) ? overload : key.op].push_back(static_cast<int>(site));
    }
  }

  void addField(ListChange::Kind kind, const QString& place, const std::string& before, const std::string& after) {
    if (before == after) return;
    ListChange& made = changes_.emplace_back();
    made.kind = kind;
    made.place = place;
    made.before = QString::fromStdString(before);
    made.after = QString::fromStdString(after);
  }

  void complete(ListChange& change, const std::vector<int>& calls) const {
    change.calls = calls;
    QStringList before;
    for (const int call : calls) {
      const auto at = static_cast<std::size_t>(call);
      const QString text =
          QString::fromStdString(policy::decision_text(before_.sites[at], places_.places()[at].inside));
      if (!before.contains(text)) before << text;
    }
    before.sort();
    change.before = before.join(QStringLiteral(", "));
    if (!calls.empty() || model_.sites.empty() || !change.why.isEmpty()) return;
    change.why = change.kind == ListChange::Kind::kOp ? tr("It decides for no op call; inside others it may.")
                                                      : tr("It decides for no op call.");
  }

  const policy::Policy& policy_;
  policy::Policy list_;
  const wire::ModelInfo& model_;
  wire::SitePlaces places_;
  policy::Resolved now_;
  policy::Resolved before_;
  std::map<std::size_t, std::vector<int>> by_rule_;
  std::map<std::string, std::vector<int>> by_op_;
  QList<ListChange> changes_;
};

bool isOfWholePolicy(const ListChange& change) {
  return change.kind != ListChange::Kind::kOp && change.kind != ListChange::Kind::kRule;
}

QString callsWords(const ListChange& change, const wire::ModelInfo& model) {
  if (isOfWholePolicy(change)) return tr("all");
  if (model.sites.empty()) return QStringLiteral("–");
  return views::grouped(static_cast<std::int64_t>(change.calls.size()));
}

QString namedCalls(const ListChange& change, const wire::ModelInfo& model) {
  QStringList names;
  for (std::size_t i = 0; i < std::min(change.calls.size(), kMostNamedCalls); ++i)
    names << callText(model.sites, change.calls[i]);
  if (change.calls.size() > kMostNamedCalls)
    names << tr("%1 more").arg(views::grouped(change.calls.size() - kMostNamedCalls));
  return names.join(QStringLiteral(", "));
}

Cell formatsCell(const QString& text) {
  Cell cell(text);
  // Several formats, and words such as "promote", have no square.
  if (formats::parse(text.toStdString())) cell.with(views::FormatRole, text);
  return cell;
}

}  // namespace

QList<ListChange> listChanges(const policy::Policy& policy, const wire::ModelInfo& model) {
  return ListChangeFinder(policy, model).find();
}

policy::Policy withoutChange(const policy::Policy& policy, const ListChange& change) {
  policy::Policy after = policy;
  after.provenance = {};
  const policy::Policy list = bareList(policy);
  switch (change.kind) {
    case ListChange::Kind::kLow:
      after.low = list.low;
      break;
    case ListChange::Kind::kExecution:
      after.execution = list.execution;
      break;
    case ListChange::Kind::kBehaviour:
      after.behaviour = list.behaviour;
      break;
    case ListChange::Kind::kOp:
      after.ops.erase(change.op);
      break;
    case ListChange::Kind::kRule:
      if (change.rule < after.sites.size())
        after.sites.erase(after.sites.begin() + static_cast<std::ptrdiff_t>(change.rule));
      break;
  }
  return after;
}

QList<CellModel::Column> listChangeColumns() {
  return {{tr("Change")},
          {tr("Op calls"), true, tr("The op calls that the change decides for")},
          {tr("Base list"), false, tr("What the base list alone gives these op calls")},
          {tr("Policy"), false, tr("What the policy gives them")},
          {tr("Why")}};
}

QList<CellRow> listChangeRows(const QList<ListChange>& changes, const wire::ModelInfo& model) {
  QList<CellRow> rows;
  for (const ListChange& change : changes) {
    const auto calls = static_cast<double>(change.calls.size());
    rows.append({rows.size(),
                 {Cell(change.place),
                  Cell::figure(callsWords(change, model), calls).with(Qt::ToolTipRole, namedCalls(change, model)),
                  formatsCell(change.before), formatsCell(change.after), Cell(change.why)}});
  }
  return rows;
}

QString listChangesText(const policy::Policy& policy, const QList<ListChange>& changes, const wire::ModelInfo& model) {
  QStringList lines{tr("Base list %1").arg(QString::fromStdString(policy::name(policy.base)))};
  if (changes.isEmpty()) lines << tr("no changes");
  for (const ListChange& change : changes) {
    QString line = change.before.isEmpty() ? tr("%1: %2").arg(change.place, change.after)
                                           : tr("%1: %2 → %3").arg(change.place, change.before, change.after);
    if (const QString calls = namedCalls(change, model); !calls.isEmpty() && calls != change.place)
      line += tr(" (%1)").arg(calls);
    if (!change.why.isEmpty()) line += tr(" — %1").arg(change.why);
    lines << line;
  }
  return lines.join(u'\n') + u'\n';
}

}  // namespace binade::app
