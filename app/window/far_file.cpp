// SPDX-License-Identifier: Apache-2.0
#include "app/window/far_file.h"

#include <QInputDialog>

#include <utility>

namespace binade::app {

void askFarFile(QWidget* window, const QString& title, const QString& label, const QString& proposal,
                std::function<void(const QString&)> chosen) {
  auto* dialog = new QInputDialog(window);
  dialog->setObjectName(QStringLiteral("farFile"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->setLabelText(label);
  dialog->setTextValue(proposal);
  dialog->resize(520, dialog->sizeHint().height());
  QObject::connect(dialog, &QInputDialog::textValueSelected, window, [chosen = std::move(chosen)](const QString& text) {
    if (!text.trimmed().isEmpty()) chosen(text.trimmed());
  });
  dialog->open();
}

}  // namespace binade::app
