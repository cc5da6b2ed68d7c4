// SPDX-License-Identifier: Apache-2.0
#include "app/docks/site_filter.h"

#include "app/docks/site_table_model.h"
#include "app/present/call_counts.h"
#include "views/values/numbers.h"

#include <QRegularExpression>

#include <algorithm>

namespace binade::app {

namespace {

bool containsAny(const QString& text, const QStringList& parts) {
  return parts.isEmpty() || std::any_of(parts.begin(), parts.end(),
                                        [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
}

}  // namespace

SiteQuery SiteQuery::parse(const QString& text) {
  SiteQuery query;
  static const QRegularExpression spaces(QStringLiteral("\\s+"));
  for (const QString& word : text.split(spaces, Qt::SkipEmptyParts)) {
    const qsizetype colon = word.indexOf(u':');
    const QString key = word.left(std::max<qsizetype>(colon, 0)).toLower();
    QStringList* list = key == u"format"    ? &query.formats
                        : key == u"op"      ? &query.ops
                        : key == u"path"    ? &query.paths
                        : key == u"verdict" ? &query.verdicts
                                            : nullptr;
    if (list == nullptr || word.mid(colon).startsWith(u"::")) {
      query.words.append(word);
    } else {
      list->append(word.mid(colon + 1).split(u',', Qt::SkipEmptyParts));
    }
  }
  return query;
}

bool SiteQuery::matches(const QString& path, const QString& op, const QString& format, const QString& verdict) const {
  if (!containsAny(format, formats) || !containsAny(op, ops) || !containsAny(path, paths) ||
      !containsAny(verdict, verdicts)) {
    return false;
  }
  const QString all = path + u'/' + op + u' ' + format + u' ' + verdict;
  return std::all_of(words.begin(), words.end(),
                     [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

SiteFilter::SiteFilter(SiteTableModel* table, QObject* parent) : NaturalSort(parent), table_(table) {
  setSourceModel(table);
  setSortRole(views::SortRole);
  // Rows must not move under the pointer: the dock sorts while the user is not at the table.
  setDynamicSortFilter(false);
}

void SiteFilter::setQuery(const QString& text) {
  query_ = SiteQuery::parse(text);
  filtered_ = !text.trimmed().isEmpty();
  invalidateFilter();
}

int SiteFilter::executed() const {
  return table_->counts().executed;
}

QString SiteFilter::summary() const {
  QString text = filtered_ ? tr("%1 of %2 op calls").arg(views::grouped(rowCount()), views::grouped(executed()))
                           : tr("%1 op calls").arg(views::grouped(executed()));
  // Held rows keep their places, including those of op calls that are no longer counted as executed.
  int shown = 0;
  for (int row = 0; row < rowCount(); ++row) shown += table_->figures(site(index(row, 0))).executed ? 0 : 1;
  const QString hidden = hiddenCallsText(table_->counts(), shown);
  return hidden.isEmpty() ? text : text + QStringLiteral(" · ") + hidden;
}

int SiteFilter::site(const QModelIndex& proxyIndex) const {
  const QModelIndex source = mapToSource(proxyIndex);
  return source.isValid() ? table_->site(source.row()) : -1;
}

QModelIndex SiteFilter::indexOfSite(int site) const {
  return site < 0 || site >= table_->rowCount() ? QModelIndex() : mapFromSource(table_->index(site, 0));
}

bool SiteFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  if (!table_->figures(row).executed) return false;
  const QString call = table_->index(row, SiteTableModel::kCall).data(views::CallRole).toString();
  const qsizetype slash = call.lastIndexOf(u'/');
  return query_.matches(call.left(std::max<qsizetype>(slash, 0)), call.mid(slash + 1),
                        table_->index(row, SiteTableModel::kFormat).data(views::FormatRole).toString(),
                        table_->figures(row).sentence);
}

}  // namespace binade::app
