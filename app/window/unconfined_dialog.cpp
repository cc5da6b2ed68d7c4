// SPDX-License-Identifier: Apache-2.0
#include "app/window/unconfined_dialog.h"

#include "views/style/looks.h"
#include "views/theme.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace binade::app {

UnconfinedDialog::UnconfinedDialog(const QString& host, const QString& why, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("unconfinedDialog"));
  setWindowTitle(tr("Start an engine that is not confined?"));
  resize(620, 320);

  QLabel* text = views::makeTextLabel();
  text->setText((host.isEmpty() ? tr("The system of this computer cannot confine the engine.")
                                : tr("The system of %1 cannot confine the engine.").arg(host)) +
                u' ' +
                tr("A model is a program. Its code is checked before it runs, but without confinement nothing limits "
                   "what the check misses. Start the engine only if you open models of authors you know. The limits "
                   "that the system has still apply."));

  auto* reason = new QPlainTextEdit(why);
  reason->setAccessibleName(tr("Output of the engine"));
  reason->setReadOnly(true);
  reason->setFont(views::figureFont());

  QLabel* note = views::makeTextLabel(views::Tone::kSecond);
  note->setText(tr("The answer is remembered. The settings can change it."));

  auto* buttons = new QDialogButtonBox;
  refuse_ = buttons->addButton(tr("Do not start it"), QDialogButtonBox::RejectRole);
  start_ = buttons->addButton(tr("Start it"), QDialogButtonBox::AcceptRole);
  refuse_->setDefault(true);
  start_->setAutoDefault(false);
  connect(start_, &QPushButton::clicked, this, [this] {
    Q_EMIT answered(true);
    accept();
  });
  connect(refuse_, &QPushButton::clicked, this, [this] {
    Q_EMIT answered(false);
    reject();
  });

  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text);
  layout->addWidget(reason, 1);
  layout->addWidget(note);
  layout->addWidget(buttons);
}

}  // namespace binade::app
