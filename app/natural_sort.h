// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace binade::app {

/// The order in which a person reads two texts: numbers inside them by their value, `layer2` before `layer10`; letters
/// without regard to case. Below 0 where `a` comes first, 0 where both are the same.
int naturalOrder(const QString& a, const QString& b);

/// Sorts texts by naturalOrder() and everything else by its value. What is equal stays in the source's order, which is
/// also that of a table whose sort indicator was cleared.
class NaturalSort : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

}  // namespace binade::app
