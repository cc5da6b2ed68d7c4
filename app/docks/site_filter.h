// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/natural_sort.h"

#include <QString>
#include <QStringList>

namespace binade::app {

class SiteTableModel;

/// A parsed filter line: `format:float16 op:conv,linear path:layer1 free text`. Values of one key are alternatives;
/// keys and free words must all match, without regard to case. A key other than format, op, path, verdict is searched
/// for as text.
struct SiteQuery {
  QStringList formats;
  QStringList ops;
  QStringList paths;
  QStringList verdicts;
  QStringList words;  ///< each must be found in name, format or verdict

  static SiteQuery parse(const QString& text);
  /// Matches a row by module path with method, op, format, verdict, and the whole name.
  bool matches(const QString& path, const QString& op, const QString& format, const QString& verdict) const;
};

/// Sorted and filtered op calls. Those never executed are left out and counted.
class SiteFilter : public NaturalSort {
  Q_OBJECT

 public:
  explicit SiteFilter(SiteTableModel* table, QObject* parent = nullptr);

  void setQuery(const QString& text);
  /// Filters every row again, without sorting.
  void refilter() { invalidateFilter(); }
  /// Number of all executed op calls.
  int executed() const;
  /// `22 op calls · 4 not executed so far are hidden`, `11 of 176 op calls`.
  QString summary() const;
  int site(const QModelIndex& proxyIndex) const;
  QModelIndex indexOfSite(int site) const;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  SiteTableModel* table_;
  SiteQuery query_;
  bool filtered_ = false;
};

}  // namespace binade::app
