// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/cell_model.h"
#include "engine/policy/policy.h"
#include "engine/wire/model_info.h"

#include <QList>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace binade::app {

/// One place where a policy departs from its base list. A plain value.
struct ListChange {
  enum class Kind : std::uint8_t { kLow, kExecution, kBehaviour, kOp, kRule };
  Kind kind = Kind::kRule;
  std::string op;          ///< of kOp: its key in Policy::ops
  std::size_t rule = 0;    ///< of kRule: its index in Policy::sites
  QString place;           ///< `fc1/aten::linear#0`, `every aten::gelu`, `low format`
  std::vector<int> calls;  ///< the op calls that it decides for; none for the fields of the whole policy
  QString before;          ///< `float16`, `float16, float32`: what the base list gives them; empty: unknown
  QString after;           ///< what the policy gives them
  QString why;             ///< the reason that the policy states, or why the change has no effect
};

/// All changes of a policy, in the order of a policy file. Formats are those that the policy asks for, on a device that
/// has them all. `model` may be empty: then no op calls are known.
QList<ListChange> listChanges(const policy::Policy& policy, const wire::ModelInfo& model);

/// The policy with one change less. Its provenance says nothing about the result and is left out.
policy::Policy withoutChange(const policy::Policy& policy, const ListChange& change);

/// The columns of listChangeRows().
QList<CellModel::Column> listChangeColumns();
/// One row for each change; ids are indices.
QList<CellRow> listChangeRows(const QList<ListChange>& changes, const wire::ModelInfo& model);

/// The changes as lines of text, below one that names the base list.
QString listChangesText(const policy::Policy& policy, const QList<ListChange>& changes, const wire::ModelInfo& model);

}  // namespace binade::app
