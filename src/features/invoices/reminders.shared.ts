/** The most automatic reminders of an invoice. */
export const maxReminders = 5;
