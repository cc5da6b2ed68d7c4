// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace binade::app {

/// Compares two texts in natural order: numbers by value, `layer2` before `layer10`; letters without regard to case.
/// Returns a value below 0 if `a` comes first, 0 if both are equal.
int naturalOrder(const QString& a, const QString& b);

/// Sorts texts by naturalOrder() and other data by value. Equal items keep the source's order, which is also used if no
/// sort column is set.
class NaturalSort : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

}  // namespace binade::app
