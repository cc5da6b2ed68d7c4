// SPDX-License-Identifier: Apache-2.0
#include "app/docks/ask_format.h"

#include "app/model/translate.h"
#include "engine/formats/format.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace binade::app {

namespace {

/// The range of a format: `largest 480, smallest 2^-9`.
QString range(const formats::Format& format) {
  return tr("Largest %1, smallest %2: 2^%3.")
      .arg(QLocale().toString(format.largest(), 'g', 6))
      .arg(QLocale().toString(format.smallest_subnormal(), 'g', 4))
      .arg(format.subnormal_exponent());
}

}  // namespace

QString formatProblem(const QString& text) {
  const std::string name = text.trimmed().toStdString();
  if (formats::parse(name)) return {};
  if (const std::string problem = formats::out_of_range(name); !problem.empty()) {
    return tr("%1 %2.").arg(text.trimmed(), QString::fromStdString(problem));
  }
  return tr("Write your own format as e<exponent bits, 2 to 8>m<mantissa bits, 1 to 23>, for example e4m3.");
}

QString askFormat(QWidget* parent) {
  QDialog dialog(parent);
  dialog.setWindowTitle(tr("Another format"));
  auto* name = new QLineEdit;
  name->setAccessibleName(tr("Format"));
  name->setPlaceholderText(QStringLiteral("e4m3"));
  auto* message = new QLabel;
  message->setWordWrap(true);
  message->setMinimumWidth(320);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  auto* layout = new QVBoxLayout(&dialog);
  layout->addWidget(name);
  layout->addWidget(message);
  layout->addWidget(buttons);
  const auto check = [name, message, ok = buttons->button(QDialogButtonBox::Ok)] {
    const QString problem = formatProblem(name->text());
    message->setText(problem.isEmpty() ? range(*formats::parse(name->text().trimmed().toStdString())) : problem);
    ok->setEnabled(problem.isEmpty());
  };
  QObject::connect(name, &QLineEdit::textChanged, &dialog, check);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  check();
  return dialog.exec() == QDialog::Accepted ? name->text().trimmed() : QString();
}

}  // namespace binade::app
