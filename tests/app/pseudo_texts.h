// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>
#include <QTranslator>

class QWidget;

namespace binade::test {

/// A made-up language: each text in brackets, accented, and 40 % longer, with the same placeholders, mnemonics and
/// HTML. A text of a widget without brackets was never translated.
class PseudoTexts : public QTranslator {
 public:
  /// Reads the source texts of a .ts file. Binade's texts that are not in it are remembered when they are looked up.
  explicit PseudoTexts(const QString& file);

  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char* comment, int count) const override;

  /// Texts that were looked up and are not in the file: lupdate does not see them.
  QStringList unlisted() const;

 private:
  QSet<QString> listed_;
  mutable QSet<QString> unlisted_;
};

/// Whether a text has no word that a translation would change: numbers, units, names of formats and files, one symbol;
/// or whether it was translated. `names` are the names of op calls, policies and so on that the shown run has.
bool isTranslated(QString text, const QSet<QString>& names);

/// What a person sees of a widget and the widgets in it, and of its menus: texts, titles, tips, heads of tables,
/// entries of boxes, accessible names. Each after the class of
/// Binade's own widget around it, its class and its name: `binade::app::StatusLine QLabel state: No run`.
QStringList textsOf(const QWidget* widget);

/// The buttons of a widget that are narrower than their text.
QStringList cutButtons(const QWidget* widget);

}  // namespace binade::test
