// SPDX-License-Identifier: Apache-2.0
#include "tests/app/pseudo_texts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QTabBar>
#include <QToolButton>
#include <QWidget>
#include <QXmlStreamReader>

#include <algorithm>

namespace binade::test {

namespace {

constexpr QChar kOpen(u'⟦');
constexpr QChar kClose(u'⟧');

QString accented(const QString& text) {
  static const QString plain = QStringLiteral("AEIOUaeioucnsyz");
  static const QString other = QStringLiteral("ÀÉÎÕÜàéîõüçñšýž");
  // Placeholders, tags and entities stay.
  static const QRegularExpression kept(QStringLiteral("%L?\\w+|<[^>]*>|&\\w+;"));
  QString result;
  qsizetype from = 0;
  const auto add = [&](qsizetype to) {
    for (; from < to; ++from) {
      const qsizetype at = plain.indexOf(text[from]);
      result += at < 0 ? text[from] : other[at];
    }
  };
  for (auto all = kept.globalMatch(text); all.hasNext();) {
    const auto match = all.next();
    add(match.capturedStart());
    result += match.captured();
    from = match.capturedEnd();
  }
  add(text.size());
  return result;
}

// The class of the nearest widget of Binade's own says where the text is.
void addText(QStringList& texts, const QObject* of, const QString& text) {
  if (text.trimmed().isEmpty()) return;
  const QObject* place = of;
  while (place->parent() != nullptr && QLatin1String(place->metaObject()->className()).startsWith(u'Q')) {
    place = place->parent();
  }
  texts << QStringLiteral("%1 %2 %3: %4")
               .arg(QLatin1String(place->metaObject()->className()), QLatin1String(of->metaObject()->className()),
                    of->objectName(), text);
}

void addActions(QStringList& texts, const QWidget* widget) {
  for (const QAction* action : widget->actions()) {
    if (action->isSeparator()) continue;
    addText(texts, action, action->text());
    addText(texts, action, action->toolTip());
    if (action->menu() != nullptr) addActions(texts, action->menu());
  }
}

void addOwn(QStringList& texts, const QWidget* widget) {
  addText(texts, widget, widget->toolTip());
  addText(texts, widget, widget->accessibleName());
  if (widget->isWindow() || qobject_cast<const QDockWidget*>(widget) != nullptr)
    addText(texts, widget, widget->windowTitle());
  if (const auto label = qobject_cast<const QLabel*>(widget)) addText(texts, widget, label->text());
  if (const auto button = qobject_cast<const QAbstractButton*>(widget)) addText(texts, widget, button->text());
  if (const auto group = qobject_cast<const QGroupBox*>(widget)) addText(texts, widget, group->title());
  if (const auto line = qobject_cast<const QLineEdit*>(widget)) addText(texts, widget, line->placeholderText());
  if (const auto box = qobject_cast<const QComboBox*>(widget)) {
    for (int i = 0; i < box->count(); ++i) addText(texts, widget, box->itemText(i));
  }
  if (const auto tabs = qobject_cast<const QTabBar*>(widget)) {
    for (int i = 0; i < tabs->count(); ++i) addText(texts, widget, tabs->tabText(i));
  }
  if (const auto head = qobject_cast<const QHeaderView*>(widget); head != nullptr && head->model() != nullptr) {
    for (int i = 0; i < head->count(); ++i) {
      addText(texts, widget, head->model()->headerData(i, head->orientation()).toString());
      addText(texts, widget, head->model()->headerData(i, head->orientation(), Qt::ToolTipRole).toString());
    }
  }
  if (qobject_cast<const QMenu*>(widget) == nullptr) addActions(texts, widget);
}

}  // namespace

PseudoTexts::PseudoTexts(const QString& file) {
  QFile texts(file);
  if (!texts.open(QIODevice::ReadOnly)) return;
  QXmlStreamReader reader(&texts);
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement() && reader.name() == QLatin1String("source")) listed_ << reader.readElementText();
  }
}

QString PseudoTexts::translate(const char* context, const char* source, const char*, int) const {
  const QLatin1String of(context);
  if (of == QLatin1String("QShortcut")) return {};  // names of keys, which tests press
  const QString text = QString::fromUtf8(source);
  if (!of.startsWith(u'Q') && !listed_.contains(text)) unlisted_ << text;
  const QString longer(std::max<qsizetype>(1, text.size() * 4 / 10), u'~');
  return kOpen + accented(text) + longer + kClose;
}

QStringList PseudoTexts::unlisted() const {
  QStringList sorted(unlisted_.begin(), unlisted_.end());
  sorted.sort();
  return sorted;
}

bool isTranslated(QString text, const QSet<QString>& names) {
  if (text.contains(kOpen)) return true;
  // Names with digits or punctuation in them (float16, layer1.0.conv1, aten::relu, *.bias, %1), and words in capitals.
  static const QRegularExpression coded(QStringLiteral("\\S*[0-9_/:*.#=\\[\\]]\\S*|\\b[A-Z]{2,}\\b"));
  static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
  static const QSet<QString> units{QStringLiteral("ms"),  QStringLiteral("kB"),     QStringLiteral("inf"),
                                   QStringLiteral("NaN"), QStringLiteral("Binade"), QStringLiteral("binade")};
  text.remove(coded);
  for (auto all = word.globalMatch(text); all.hasNext();) {
    const QString each = all.next().captured();
    if (!units.contains(each) && !names.contains(each)) return false;
  }
  return true;
}

QStringList textsOf(const QWidget* widget) {
  QStringList texts;
  addOwn(texts, widget);
  for (const QWidget* each : widget->findChildren<QWidget*>()) addOwn(texts, each);
  texts.removeDuplicates();
  return texts;
}

QStringList cutButtons(const QWidget* widget) {
  QStringList cut;
  for (const QAbstractButton* button : widget->findChildren<QAbstractButton*>()) {
    // A button that shows an icon only has its text for a menu and a screen reader; a sign is not cut by its margins.
    const auto* tool = qobject_cast<const QToolButton*>(button);
    const bool icon_only =
        tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
    const bool shown = button->isVisible() && button->text().size() > 1 && !icon_only;
    if (!shown || button->width() >= button->minimumSizeHint().width()) continue;
    cut << QStringLiteral("%1 px of %2: %3")
               .arg(button->width())
               .arg(button->minimumSizeHint().width())
               .arg(button->text());
  }
  return cut;
}

}  // namespace binade::test
