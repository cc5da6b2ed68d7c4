// SPDX-License-Identifier: Apache-2.0
#include "app/session/export_finding.h"

#include <QObject>

#include <algorithm>

namespace binade::app {

namespace {

constexpr qsizetype kSitesOfNote = 4;
constexpr qsizetype kSitesOfDeviation = 20;

bool isNote(const ExportFinding& finding) {
  return finding.kind == QLatin1String("note");
}

bool isWarning(const ExportFinding& finding) {
  return finding.kind == QLatin1String("warning");
}

QString headingOf(const ExportFinding& finding) {
  if (isNote(finding)) return QObject::tr("Note");
  if (isWarning(finding)) return QObject::tr("Warning");
  if (finding.kind == QLatin1String("inexpressible")) return QObject::tr("Cannot be expressed");
  return QObject::tr("Not exported");
}

QString sitesText(const ExportFinding& finding) {
  if (finding.sites.isEmpty()) return {};
  const qsizetype most = isNote(finding) ? kSitesOfNote : kSitesOfDeviation;
  QString text = finding.sites.mid(0, most).join(QStringLiteral(", "));
  if (finding.sites.size() > most) text += QObject::tr(" and %1 more").arg(finding.sites.size() - most);
  return QStringLiteral(": ") + text;
}

}  // namespace

ExportFinding exportFinding(const targets::Finding& finding) {
  using Kind = targets::Finding::Kind;
  const QString kind = finding.kind == Kind::kNote      ? QStringLiteral("note")
                       : finding.kind == Kind::kWarning ? QStringLiteral("warning")
                                                        : QStringLiteral("inexpressible");
  ExportFinding made{kind, QString::fromStdString(finding.message), {}};
  for (const std::string& site : finding.sites) made.sites << QString::fromStdString(site);
  return made;
}

QString findingsText(QList<ExportFinding> findings) {
  const auto rank = [](const ExportFinding& each) { return isNote(each) ? 2 : isWarning(each) ? 1 : 0; };
  std::stable_sort(findings.begin(), findings.end(),
                   [rank](const ExportFinding& a, const ExportFinding& b) { return rank(a) < rank(b); });
  QStringList lines;
  for (const ExportFinding& each : findings)
    lines << QStringLiteral("%1: %2%3").arg(headingOf(each), each.message, sitesText(each));
  return lines.join(QStringLiteral("\n\n"));
}

}  // namespace binade::app
