// SPDX-License-Identifier: Apache-2.0
#include "app/window/trust_dialog.h"

#include "views/style/looks.h"
#include "views/theme.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace binade::app {

TrustDialog::TrustDialog(const QString& file, const Problem& problem, QWidget* parent)
    : QDialog(parent), lines_(new QTreeWidget) {
  setObjectName(QStringLiteral("trustDialog"));
  setWindowTitle(tr("Trust this model?"));
  resize(760, 420);

  QLabel* text = views::makeTextLabel();
  text->setText(tr("%1 was not opened, because its code does what models do not need. The list shows each place. Trust "
                   "the file only if you know its author: then its code runs, without these checks. The engine is "
                   "confined as before where the system allows it: it can use the named files only.")
                    .arg(QFileInfo(file).fileName()));
  lines_->setAccessibleName(tr("Refused code"));
  lines_->setHeaderLabels({tr("Reason"), tr("Place"), tr("Code")});
  lines_->setRootIsDecorated(false);
  lines_->setWordWrap(true);
  for (const UnsafeLine& each : problem.unsafe) {
    auto* item = new QTreeWidgetItem(lines_, {each.why, each.place.isEmpty() ? tr("unknown") : each.place, each.code});
    item->setFont(2, views::figureFont());
    for (int column = 0; column < 3; ++column) item->setToolTip(column, item->text(column).toHtmlEscaped());
  }
  lines_->header()->setSectionResizeMode(QHeaderView::Interactive);
  lines_->setColumnWidth(0, 280);
  lines_->setColumnWidth(1, 160);

  QLabel* hash = views::makeTextLabel();
  hash->setText(tr("SHA-256 of the file: %1. The trust is remembered for this content; a changed file is asked about "
                   "again.")
                    .arg(problem.sha256));
  hash->setTextInteractionFlags(Qt::TextSelectableByMouse);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  trust_ = buttons->addButton(tr("Trust and open"), QDialogButtonBox::AcceptRole);
  buttons->button(QDialogButtonBox::Cancel)->setDefault(true);
  trust_->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text);
  layout->addWidget(lines_, 1);
  layout->addWidget(hash);
  layout->addWidget(buttons);
}

}  // namespace binade::app
