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

QString headingOf(const ExportFinding& finding) {
  if (isNote(finding)) return QObject::tr("Note");
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
  const bool note = finding.kind == targets::Finding::Kind::kNote;
  ExportFinding made{
      note ? QStringLiteral("note") : QStringLiteral("inexpressible"), QString::fromStdString(finding.message), {}};
  for (const std::string& site : finding.sites) made.sites << QString::fromStdString(site);
  return made;
}

QString findingsText(QList<ExportFinding> findings) {
  std::stable_partition(findings.begin(), findings.end(), [](const ExportFinding& each) { return !isNote(each); });
  QStringList lines;
  for (const ExportFinding& each : findings)
    lines << QStringLiteral("%1: %2%3").arg(headingOf(each), each.message, sitesText(each));
  return lines.join(QStringLiteral("\n\n"));
}

}  // namespace binade::app
