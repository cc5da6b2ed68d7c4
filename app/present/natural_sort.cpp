// SPDX-License-Identifier: Apache-2.0
#include "app/present/natural_sort.h"

#include <QVariant>

namespace binade::app {

namespace {

// Returns the end of the number that starts at `at`.
qsizetype numberEnd(const QString& text, qsizetype at) {
  while (at < text.size() && text[at].isDigit()) ++at;
  return at;
}

int compareNumbers(QStringView a, QStringView b) {
  while (a.size() > 1 && a.front() == u'0') a = a.mid(1);
  while (b.size() > 1 && b.front() == u'0') b = b.mid(1);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace

int naturalOrder(const QString& a, const QString& b) {
  qsizetype i = 0;
  qsizetype j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].isDigit() && b[j].isDigit()) {
      const qsizetype end_a = numberEnd(a, i);
      const qsizetype end_b = numberEnd(b, j);
      const int order = compareNumbers(QStringView(a).mid(i, end_a - i), QStringView(b).mid(j, end_b - j));
      if (order != 0) return order;
      i = end_a;
      j = end_b;
      continue;
    }
    const QChar left = a[i++].toCaseFolded();
    const QChar right = b[j++].toCaseFolded();
    if (left != right) return left < right ? -1 : 1;
  }
  if (i < a.size() || j < b.size()) return j < b.size() ? -1 : 1;
  return a.compare(b);
}

bool NaturalSort::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(sortRole());
  const QVariant b = right.data(sortRole());
  if (a.typeId() == QMetaType::QString && b.typeId() == QMetaType::QString) {
    return naturalOrder(a.toString(), b.toString()) < 0;
  }
  return QSortFilterProxyModel::lessThan(left, right);
}

}  // namespace binade::app
