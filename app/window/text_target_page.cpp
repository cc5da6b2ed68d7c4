// SPDX-License-Identifier: Apache-2.0
#include "app/window/text_target_page.h"

#include "app/session/write_file.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace binade::app {

namespace {

constexpr int kFindingsHigh = 150;

QString textOf(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

TextTargetPage::TextTargetPage(std::shared_ptr<const AssignedRun> run, QString policy, QString stem, QWidget* parent)
    : QWidget(parent),
      run_(std::move(run)),
      policy_(std::move(policy)),
      stem_(std::move(stem)),
      progress_(views::makeProgressLine(tr("Writing the text and reading it back"))),
      findings_(views::makeTextLabel()),
      proof_(views::makeTextLabel()),
      preview_(new QPlainTextEdit),
      cut_(views::makeTextLabel(views::Tone::kSecond)),
      approximate_(new QCheckBox(tr("&Approximate what the target cannot express"))),
      status_(views::makeTextLabel(views::Tone::kSecond)),
      copy_(new QPushButton(tr("&Copy"))),
      save_(new QPushButton(tr("&Save…"))) {
  if (run_ && run_->assignment().keys.empty()) run_.reset();
  layOut();
  connect(&job_, &TargetTextJob::finished, this, &TextTargetPage::showText);
  connect(approximate_, &QCheckBox::toggled, this, &TextTargetPage::update);
  connect(copy_, &QPushButton::clicked, this, &TextTargetPage::copy);
  connect(save_, &QPushButton::clicked, this, &TextTargetPage::save);
  update();
}

void TextTargetPage::layOut() {
  progress_->setRange(0, 0);  // indeterminate: it mostly ends before a share could be read
  findings_->setAlignment(Qt::AlignTop);
  findings_->setAccessibleName(tr("Remarks"));
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setMaximumHeight(kFindingsHigh);
  scroll->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  scroll->setWidget(findings_);
  findings_area_ = scroll;
  QFont font = views::textFont();
  font.setFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
  preview_->setFont(font);
  preview_->setReadOnly(true);
  preview_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  preview_->setLineWrapMode(QPlainTextEdit::NoWrap);
  preview_->setTabChangesFocus(true);
  preview_->setFrameShape(QFrame::StyledPanel);
  preview_->setAccessibleName(tr("Preview"));
  preview_->setMinimumHeight(120);
  approximate_->setToolTip(tr("The text then says the nearest thing for what is listed above."));
  copy_->setMinimumWidth(96);
  views::setPrimary(save_);
  save_->setMinimumWidth(112);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(status_, 1);
  buttons->addWidget(copy_);
  buttons->addWidget(save_);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  all->addWidget(progress_);
  all->addWidget(proof_);
  all->addWidget(scroll);
  all->addWidget(preview_, 1);
  all->addWidget(cut_);
  all->addWidget(approximate_);
  all->addLayout(buttons);
}

void TextTargetPage::setTarget(const targets::Target& target) {
  target_ = &target;
  text_ = {};
  approximate_->setChecked(false);
  proof_->clear();
  findings_->clear();
  preview_->clear();
  if (run_) job_.start(run_, target, policy_);
  update();
}

void TextTargetPage::placeProof() {
  auto* all = static_cast<QVBoxLayout*>(layout());
  all->removeWidget(proof_);
  const int remarks = all->indexOf(findings_area_);
  all->insertWidget(text_.exact ? remarks : remarks + 1, proof_);
  proof_->setFont(views::textFont(13, text_.exact ? QFont::DemiBold : QFont::Normal));
}

void TextTargetPage::showText(const TargetText& text) {
  text_ = text;
  placeProof();
  proof_->setText(text_.proof);
  findings_->setText(text_.problem ? text_.problem->hint : findingsText(text_.findings));
  preview_->setPlainText(text_.preview);
  update();
}

QString TextTargetPage::whyNot() const {
  if (!run_) return tr("No model is open. Open a model or a run to export its policy.");
  if (target_ == nullptr || job_.isRunning()) return tr("The text is being written and read back.");
  if (text_.problem) return text_.problem->message;
  if (!text_.exact && !approximate_->isChecked()) {
    return tr("%1 cannot express all of the policy. Choose Approximate to write the nearest text.")
        .arg(textOf(target_->title));
  }
  return {};
}

void TextTargetPage::update() {
  const QString why = whyNot();
  const bool made = run_ && !job_.isRunning() && !text_.problem;
  progress_->setVisible(job_.isRunning());
  findings_area_->setVisible(!findings_->text().isEmpty());
  findings_->updateGeometry();  // a scroll area does not notice what its widget was given while it was hidden
  proof_->setVisible(!proof_->text().isEmpty());
  cut_->setText(text_.cut);
  cut_->setVisible(!text_.cut.isEmpty());
  approximate_->setVisible(made && target_ != nullptr && !text_.exact);
  for (QPushButton* button : {copy_, save_}) {
    button->setEnabled(why.isEmpty());
    button->setToolTip(why);
  }
  status_->setText(why);
}

void TextTargetPage::copy() {
  if (!whyNot().isEmpty()) return;
  QGuiApplication::clipboard()->setText(QString::fromStdString(text_.text));
  status_->setText(tr("The whole text was copied."));
}

void TextTargetPage::save() {
  if (!whyNot().isEmpty()) return;
  const QString suffix = textOf(target_->suffix);
  QString file = QFileDialog::getSaveFileName(this, tr("Export policy"), QDir::toNativeSeparators(stem_ + suffix),
                                              QStringLiteral("%1 (*%2)").arg(textOf(target_->title), suffix));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += suffix;
  saveTo(file);
}

void TextTargetPage::saveTo(const QString& file) {
  if (!whyNot().isEmpty()) return;
  const QString shown = QDir::toNativeSeparators(file);
  if (const auto reason = replaceFile(file, QByteArray::fromStdString(text_.text))) {
    status_->setText(tr("The text could not be written to %1: %2.").arg(shown, *reason));
    return;
  }
  status_->setText(tr("The text was written to %1.").arg(shown));
  Q_EMIT saved(file);
}

}  // namespace binade::app
