// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

namespace binade::test {

/// Chooses this file in the next file dialog, and this answer in the question that follows, if one does. The name goes
/// into the field, as if it were typed.
inline void chooseFile(const QString& file, QMessageBox::StandardButton answer = QMessageBox::NoButton) {
  QTimer::singleShot(0, qApp, [file, answer] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    if (answer != QMessageBox::NoButton) {
      // After the dialog has returned.
      QObject::connect(dialog, &QFileDialog::finished, qApp, [answer] {
        QTimer::singleShot(0, qApp, [answer] {
          if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) box->button(answer)->click();
        });
      });
    }
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
    QMetaObject::invokeMethod(dialog, "accept");
  });
}

}  // namespace binade::test
