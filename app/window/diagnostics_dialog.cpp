// SPDX-License-Identifier: Apache-2.0
#include "app/window/diagnostics_dialog.h"

#include "app/session/session.h"
#include "app/session/write_file.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

namespace binade::app {

namespace {

QString screensText() {
  QStringList lines{QStringLiteral("platform: ") + QGuiApplication::platformName(),
                    QStringLiteral("locale: ") + QLocale().name()};
  for (const QScreen* screen : QGuiApplication::screens()) {
    lines << QStringLiteral("screen: %1 x %2, scale %3, %4 Hz")
                 .arg(screen->size().width())
                 .arg(screen->size().height())
                 .arg(screen->devicePixelRatio())
                 .arg(screen->refreshRate());
  }
  return lines.join(u'\n');
}

}  // namespace

DiagnosticsDialog::DiagnosticsDialog(Session* session, const QSettings* settings, QWidget* parent)
    : QDialog(parent),
      session_(session),
      probe_(session->engine().command()),
      list_(new QListWidget),
      preview_(new QPlainTextEdit) {
  setObjectName(QStringLiteral("diagnosticsDialog"));
  setWindowTitle(tr("Save diagnostics"));
  resize(760, 480);
  list_->setAccessibleName(tr("Parts"));
  list_->setFixedWidth(184);
  preview_->setAccessibleName(tr("Contents of the part"));
  preview_->setReadOnly(true);
  preview_->setFont(views::figureFont());
  for (const DiagnosticsPart& part : diagnosticsOf(*session, *settings)) addPart(part);
  addPart({tr("Screens"), screensText()});
  probe();
  connect(list_, &QListWidget::currentRowChanged, this, &DiagnosticsDialog::showPart);
  list_->setCurrentRow(0);

  QLabel* note = views::makeTextLabel();
  note->setText(
      tr("A text file for a report of a fault. It contains the checked parts, exactly as shown, and nothing "
         "else: no model, no data, no names of recent files. Your home folder is written as ~."));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &DiagnosticsDialog::chooseFile);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* middle = new QHBoxLayout;
  middle->addWidget(list_);
  middle->addWidget(preview_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(note);
  layout->addLayout(middle, 1);
  layout->addWidget(buttons);
}

void DiagnosticsDialog::addPart(const DiagnosticsPart& part) {
  parts_.append(part);
  auto* item = new QListWidgetItem(part.title, list_);
  item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
  item->setCheckState(Qt::Checked);
}

void DiagnosticsDialog::probe() {
  const auto row = parts_.size();
  const bool local = isLocal(session_->engine().command());
  addPart({tr("Engine and devices"), local
                                         ? tr("binade-engine probe is running.")
                                         : tr("The engine runs on another computer. Run binade-engine probe there.")});
  if (!local) return;
  parts_[row].text.clear();
  connect(&probe_, &EngineProcess::line, this,
          [this, row](const QByteArray& line) { parts_[row].text += withoutHome(QString::fromUtf8(line)); });
  connect(&probe_, &EngineProcess::ended, this, [this, row](bool /*well*/, const QString& said) {
    parts_[row].text += withoutHome(said);
    if (list_->currentRow() == static_cast<int>(row)) showPart(static_cast<int>(row));
  });
  probe_.start({QStringLiteral("probe")});
}

void DiagnosticsDialog::showPart(int row) {
  preview_->setPlainText(row < 0 ? QString() : parts_[row].text);
}

QString DiagnosticsDialog::text() const {
  QList<DiagnosticsPart> chosen;
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->checkState() == Qt::Checked) chosen << parts_[row];
  }
  return diagnosticsText(chosen);
}

std::optional<Problem> DiagnosticsDialog::save(const QString& file) const {
  auto failure = writeFile(file, text().toUtf8(), tr("The diagnostics could not be written to %1: %2."));
  if (failure) failure->hint = tr("Choose another folder, or copy the text instead.");
  return failure;
}

void DiagnosticsDialog::chooseFile() {
  const QString file =
      QFileDialog::getSaveFileName(this, windowTitle(), QStringLiteral("binade-diagnostics.txt"), tr("Text (*.txt)"));
  if (file.isEmpty()) return;
  if (const auto failure = save(file)) return Q_EMIT problem(*failure);
  Q_EMIT saved(file);
  accept();
}

}  // namespace binade::app
