/** The most automatic reminders of an invoice. */
export const mostReminders = 5;
