// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

class QSettings;

namespace binade::app {

class Session;

/// One part of a report on the program itself: a title, and text of several lines.
struct DiagnosticsPart {
  QString title;
  QString text;
};

/// Replaces the user's home folder in a text by `~`.
QString withoutHome(QString text);

/// Versions, log and settings. Names of recent files, of computers and of the engine are left out, as are positions of
/// windows and docks, which nobody can read.
QList<DiagnosticsPart> diagnosticsOf(Session& session, const QSettings& settings);

/// The parts as one text, each under its title.
QString diagnosticsText(const QList<DiagnosticsPart>& parts);

}  // namespace binade::app
