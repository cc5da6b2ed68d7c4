// SPDX-License-Identifier: Apache-2.0
#include "app/window/ssh_failure.h"

#include "views/style/looks.h"
#include "views/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace binade::app {

SshFailure::SshFailure(QWidget* parent)
    : QWidget(parent), reason_(views::makeTextLabel(views::Tone::kCrimson)), said_(new QPlainTextEdit) {
  constexpr int kSixLines = 112;  // px
  said_->setReadOnly(true);
  said_->setFont(views::figureFont());
  said_->setFixedHeight(kSixLines);
  said_->setAccessibleName(tr("Output of ssh"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(reason_);
  layout->addWidget(said_);
  clear();
}

void SshFailure::setFailure(const QString& reason, const QString& said) {
  reason_->setText(reason.trimmed());
  said_->setPlainText(said);
  said_->setVisible(!said.isEmpty());
  setVisible(true);
}

void SshFailure::clear() {
  setVisible(false);
  reason_->clear();
  said_->clear();
}

QString SshFailure::reason() const {
  return reason_->text();
}

QString SshFailure::said() const {
  return said_->toPlainText();
}

}  // namespace binade::app
