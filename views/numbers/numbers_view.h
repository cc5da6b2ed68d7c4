// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/numbers/ruler_axis.h"
#include "views/numbers/shown_number.h"

#include <QString>
#include <QWidget>

#include <vector>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace binade::views {

class BitRows;
class FormatRuler;

/// One real number in every format: fields for its value and for the bits of the selected format, the bit rows and the
/// ruler. A text that is no number changes nothing and is explained below the fields. GUI thread.
class NumbersView : public QWidget {
  Q_OBJECT

 public:
  static constexpr std::size_t kMostAdded = 6;

  explicit NumbersView(QWidget* parent = nullptr);

  double value() const { return shown_.real.nearest; }
  /// The text that was typed for the number; empty if it was set or edited otherwise.
  QString typedValue() const;
  const ShownNumber& shown() const { return shown_; }
  const formats::Format& selectedFormat() const { return selected_; }
  /// All rows: the six named formats, then the added ones in their order.
  const std::vector<formats::Format>& formats() const { return formats_; }
  std::vector<formats::Format> addedFormats() const;
  /// Adds a row, at most kMostAdded, and selects it; only selects a format that has a row. False: no room for it.
  bool addFormat(const formats::Format& format);
  /// Removes an added row; does nothing for a named format.
  void removeFormat(const formats::Format& format);
  RulerAxis::Scale scale() const;
  formats::Overflow overflow() const { return shown_.overflow; }

  /// Takes a text as the value field does. False: it is no number, and the explanation is shown.
  bool enterValue(const QString& text);
  /// Takes a text as the bits of the selected format.
  bool enterBits(const QString& text);
  /// Adds the format that a text names.
  bool enterFormat(const QString& text);

  BitRows* rows() const { return rows_; }
  FormatRuler* ruler() const { return ruler_; }

  QSize sizeHint() const override { return {1000, 640}; }
  /// Whether the ruler is beside the rows: the view is wide, and too low for one below the other.
  bool isSideBySide() const;

 public Q_SLOTS:
  /// Sets the number. Emits nothing, and keeps a typed or edited number that has this value; so the owner may call it
  /// from the undo command that it makes for valueChanged().
  void setValue(double value);
  /// Selects the row of a format; adds the row if there is room.
  void setSelectedFormat(binade::formats::Format format);
  void setScale(binade::views::RulerAxis::Scale scale);
  void setOverflow(binade::formats::Overflow overflow);
  /// Steps to the next number of the selected format; to the previous one.
  void stepUp();
  void stepDown();

 Q_SIGNALS:
  /// The user changed the number.
  void valueChanged(double value);
  void selectedFormatChanged(const binade::formats::Format& format);
  /// A row was added or removed.
  void formatsChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// A typed number. Its text and its exactness return when undo sets its value again.
  struct Typed {
    numbers::Real real;
    QString text;
  };

  /// Puts the ruler below or beside the rows.
  void arrange();
  QWidget* makeFields();
  QWidget* makeFormatLine();
  QWidget* makeRulerHead();
  QWidget* makeRulerLegend();
  QLineEdit* makeLine(const QString& name, bool (NumbersView::*enter)(const QString&), const QString& accessible);
  void edit(const ShownNumber& shown);
  void editNumber(const numbers::Number& number);
  bool refuse(QLineEdit* line, const QString& message, const QString& hint);
  void accept();
  void refresh();
  void rowsChanged();
  QString valueText() const;

  std::vector<formats::Format> formats_;
  formats::Format selected_ = formats::kFloat16;
  ShownNumber shown_;
  std::vector<Typed> typed_;

  QWidget* fields_ = nullptr;
  QBoxLayout* parts_ = nullptr;
  QWidget* rows_part_ = nullptr;
  QWidget* ruler_part_ = nullptr;
  QLineEdit* value_line_ = nullptr;
  QLineEdit* bits_line_ = nullptr;
  QLineEdit* format_line_ = nullptr;
  QComboBox* format_box_ = nullptr;
  QCheckBox* saturate_ = nullptr;
  QCheckBox* log_ = nullptr;
  QLabel* ruler_legend_ = nullptr;
  QLabel* problem_ = nullptr;
  BitRows* rows_ = nullptr;
  FormatRuler* ruler_ = nullptr;
};

}  // namespace binade::views
